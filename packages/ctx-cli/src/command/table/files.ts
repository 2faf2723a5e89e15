import type { CommandSpec } from '../command.ts';

/** Commands about single files, names and rules of the root. */
export const fileCommands: readonly CommandSpec[] = [
  {
    words: 'file',
    usage: 'PATH',
    summary: 'what a file of the root is: the same as file info',
    operands: [1, 1],
    load: () => import('../../commands/file.ts'),
  },
  {
    words: 'file info',
    usage: 'PATH',
    summary: 'kind, origin, storage, size, mode, owner',
    operands: [1, 1],
    load: () => import('../../commands/file.ts'),
  },
  {
    words: 'file type',
    usage: 'PATH',
    summary: 'its kind alone',
    operands: [1, 1],
    load: () => import('../../commands/file-type.ts'),
  },
  {
    words: 'file check',
    usage: 'PATH',
    summary: 'whether a control, an alias, an executable or all of NAME.d is as it must be',
    operands: [1, 1],
    load: () => import('../../commands/file-check.ts'),
  },
  {
    words: 'which',
    usage: 'CLASS NAME',
    summary: 'the executable that a name means; an alias is followed',
    operands: [2, 2],
    load: () => import('../../commands/which.ts'),
  },
  {
    words: 'path',
    usage: 'shared NAME',
    summary: 'where a shared space is',
    operands: [2, 2],
    load: () => import('../../commands/path.ts'),
  },
  {
    words: 'validate-name',
    usage: 'NAME',
    summary: 'whether an object may be called so',
    operands: [1, 1],
    load: () => import('../../commands/validate-name.ts'),
  },
  {
    words: 'explain',
    usage: 'AGENT CLASS:NAME PERMISSION [--direct]',
    summary: 'what each layer says about a permission; the exit code follows',
    options: { direct: { type: 'boolean' } },
    optionHelp: { direct: 'a call by the model itself: path and declaration count too' },
    operands: [3, 3],
    load: () => import('../../commands/explain.ts'),
  },
];
