import type { CommandSpec } from '../command.ts';

/** Commands that tell about CortexFS itself. */
export const factCommands: readonly CommandSpec[] = [
  {
    words: 'abi',
    usage: '',
    summary: 'what this version speaks: controls, permissions, schemas',
    operands: [0, 0],
    load: () => import('../../commands/abi.ts'),
  },
  {
    words: 'man',
    usage: '[TOPIC]',
    summary: 'the pages of the ABI',
    operands: [0, 1],
    load: () => import('../../commands/man.ts'),
  },
  {
    words: 'version',
    usage: '',
    summary: 'the version',
    operands: [0, 0],
    load: () => import('../../commands/version.ts'),
  },
  {
    words: 'completion',
    usage: 'bash|zsh|fish',
    summary: "print a shell's completion: source <(ctx completion bash)",
    operands: [1, 100],
    load: () => import('../../commands/completion.ts'),
  },
];
