import type { CommandSpec } from '../command.ts';

/** Tools, for a person. */
export const toolCommands: readonly CommandSpec[] = [
  {
    words: 'tool list',
    usage: '',
    summary: 'the tools that you find',
    operands: [0, 0],
    load: () => import('../../commands/tool/list.ts'),
  },
  {
    words: 'tool show',
    usage: 'NAME',
    summary: 'what a tool is for, its input, who may execute it',
    operands: [1, 1],
    load: () => import('../../commands/tool/show.ts'),
  },
  {
    words: 'tool run',
    usage: '[--root DIR] NAME [ARG…]',
    summary: 'run a tool as yourself, the same as executing the file',
    operands: [0, 0],
    raw: true,
    load: () => import('../../commands/tool/run.ts'),
  },
];
