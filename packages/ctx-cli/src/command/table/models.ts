import type { CommandSpec } from '../command.ts';

/** Models and their providers. */
export const modelCommands: readonly CommandSpec[] = [
  {
    words: 'model list',
    usage: '',
    summary: 'the models, who serves them, whether there is a key',
    operands: [0, 0],
    load: () => import('../../commands/model/list.ts'),
  },
  {
    words: 'model add',
    usage: 'PRESET|--base-url URL [--model M]… [--key-file F|-]',
    summary: 'add models of a provider and try the first one',
    options: {
      'base-url': { type: 'string' },
      name: { type: 'string' },
      driver: { type: 'string' },
      model: { type: 'string', multiple: true },
      limit: { type: 'string' },
      'key-file': { type: 'string' },
      main: { type: 'boolean' },
      helper: { type: 'boolean' },
      'no-try': { type: 'boolean' },
    },
    optionHelp: {
      'base-url':
        'address of any server; PRESET is openai, anthropic, google, openrouter, ollama or llama-cpp',
      name: 'what the provider of --base-url is called',
      driver: 'openai-chat (default with --base-url), openai-responses, anthropic-messages or google',
      model: "a model's id as the provider spells it; again for more; local servers are asked for theirs",
      limit: 'context window of these models, in tokens',
      'key-file': 'file that holds the key, or - for standard input; keys are never arguments',
      main: 'agents whose model is main use the first of these models',
      helper: 'the same for helper',
      'no-try': 'make no call',
    },
    operands: [0, 1],
    load: () => import('../../commands/model/add.ts'),
  },
  {
    words: 'model check',
    usage: '[MODEL]',
    summary: 'ask a model, or each of a provider, a short question',
    operands: [0, 1],
    load: () => import('../../commands/model/check.ts'),
  },
  {
    words: 'model remove',
    usage: 'PROVIDER|MODEL',
    summary: 'remove a model, or a provider with its models and key',
    operands: [1, 1],
    load: () => import('../../commands/model/remove.ts'),
  },
];
