import { CortexError } from '@cortexfs/abi/errors';
import { quoted } from '@cortexfs/abi/quote';
import { inodeJson } from '@cortexfs/abi/receipt/inode';
import { type Grammar, misuse, parseArguments } from '../command/arguments.ts';
import { sourceOf } from '../command/source.ts';
import { commandWatcher } from '../command/watcher.ts';
import { print } from '../report/print.ts';
import { stepLines } from '../report/steps.ts';
import { audit } from './audit.ts';
import { cleanup } from './cleanup.ts';
import { commandFor, uninstallCommand } from './resolve.ts';

const auditGrammar: Grammar = {
  usage: 'residue audit [--source STORE] [--json]',
  operands: [],
  values: ['--source'],
  flags: ['--json'],
};

const cleanupGrammar: Grammar = {
  usage: 'residue cleanup [--source STORE] --path PATH --dev DEV --ino INO [--yes] [--json]',
  operands: [],
  values: ['--source', '--path', '--dev', '--ino'],
  flags: ['--yes', '--json'],
};

/** `residue audit` and `residue cleanup`. */
export async function run([verb = '', ...args]: readonly string[]): Promise<number> {
  if (verb === 'audit') return runAudit(args);
  if (verb === 'cleanup') return await runCleanup(args);
  throw new CortexError('EINVAL', `residue has no command ${quoted(verb)}`, {
    hint: 'object-installer residue audit, or residue cleanup',
  });
}

function runAudit(args: readonly string[]): number {
  const given = parseArguments(args, auditGrammar);
  const source = sourceOf(given);
  const { residue, incomplete, entries } = audit(source);
  const lines = [
    ...residue.flatMap((item) => [
      `${item.kind} ${item.path} ${item.type} dev ${item.inode.dev} ino ${item.inode.ino}`,
      `  ${item.removable ? 'to remove it' : 'for you to look at, then'}: ${commandFor(source, item)}`,
    ]),
    ...incomplete.flatMap((item) => [
      `incomplete ${item.path} dev ${item.inode.dev} ino ${item.inode.ino}: controls without an executable`,
      `  to remove it: ${uninstallCommand(source, item)}`,
    ]),
    ...(residue.length + incomplete.length === 0 ? [`no residue among ${entries} entries`] : []),
  ];
  const json = {
    source,
    entries,
    residue: residue.map(({ inode, ...item }) => ({
      ...item,
      ...inodeJson(inode),
      command: commandFor(source, { ...item, inode }),
    })),
    incomplete: incomplete.map(({ inode, ...item }) => ({
      ...item,
      ...inodeJson(inode),
      command: uninstallCommand(source, { ...item, inode }),
    })),
  };
  print({ lines, json }, given.has('--json'));
  return 0;
}

async function runCleanup(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, cleanupGrammar);
  const path = given.value('--path');
  if (path === undefined) throw misuse(cleanupGrammar, '--path is missing');
  const inode = { dev: number('--dev'), ino: number('--ino') };
  const yes = given.has('--yes');
  const { entries, steps } = await commandWatcher((watcher) =>
    cleanup({ source: sourceOf(given), path, inode, yes }, watcher),
  );
  const words = `${path} dev ${inode.dev} ino ${inode.ino} with ${entries} entries`;
  print(
    {
      lines: yes
        ? [`removed ${words}`]
        : [`would remove ${words}`, ...stepLines(steps), 'nothing was changed: --yes does it'],
      json: {
        status: yes ? 'removed' : 'would_remove',
        path,
        ...inodeJson(inode),
        entries,
        ...(yes ? {} : { steps }),
      },
    },
    given.has('--json'),
  );
  return 0;

  function number(option: string): bigint {
    const text = given.value(option);
    if (text === undefined) throw misuse(cleanupGrammar, `${option} is missing`);
    const value = /^(?:0|[1-9][0-9]{0,19})$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && value === BigInt.asUintN(64, value)) return value;
    throw misuse(cleanupGrammar, `${option} must be a decimal number, got ${quoted(text)}`);
  }
}
