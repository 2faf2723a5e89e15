import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { flag, type Invocation } from '../command/command.ts';
import { abiPath, fileAt } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';

/** `ctx ls [-l] [PATH]`: names in name order; a file lists itself, as in ls. `--json`: `[{name,type,mode,size,target?}]`. */
export async function run(invocation: Invocation): Promise<number> {
  const root = liveRoot(invocation.root);
  const path = abiPath(root, invocation.operands[0] ?? '');
  try {
    const names = namesAt(fileAt(root, path), path);
    if (!invocation.json && !flag(invocation, 'long'))
      process.stdout.write(names.map(({ name }) => `${shown(name)}\n`).join(''));
    else print(names.map(describe), invocation.json);
  } catch (error) {
    throw fromNodeError(error, { path: path || '/' });
  }
  return 0;
}

interface Named {
  readonly name: string;
  readonly file: string;
}

function namesAt(file: string, path: string): Named[] {
  if (!lstatSync(file).isDirectory()) return [{ name: path, file }];
  return readdirSync(file)
    .sort()
    .map((name) => ({ name, file: `${file}/${name}` }));
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly size: number;
  readonly target?: string;
}

function describe({ name, file }: Named): Row {
  const stat = lstatSync(file);
  const row = {
    name,
    type: typeOf(stat),
    mode: (stat.mode & 0o7777).toString(8).padStart(4, '0'),
    size: stat.size,
  };
  return stat.isSymbolicLink() ? { ...row, target: readlinkSync(file) } : row;
}

function typeOf(stat: Stats): string {
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symlink';
  if (stat.isSocket()) return 'socket';
  return stat.isFile() ? 'file' : 'other';
}

/** Agents name files too: on a terminal a name is text on one line, in a pipe it is what it is. */
function shown(name: string): string {
  return process.stdout.isTTY ? oneLine(name) : name;
}

function print(rows: readonly Row[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  for (const { name, type, mode, size, target } of rows) {
    process.stdout.write(
      `${type.padEnd(9)} ${mode} ${String(size).padStart(9)} ${shown(name)}${target ? ` -> ${shown(target)}` : ''}\n`,
    );
  }
}
