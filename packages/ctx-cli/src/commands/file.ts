import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { fromNodeError } from '@cortexfs/abi/errors';
import { readXattr } from '@cortexfs/linux/xattr';
import type { Invocation } from '../command/command.ts';
import { abiPath, fileAt } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';

/** `ctx file [info] PATH`: what the mount says of a file, one fact a line. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const place = liveRoot(root);
  const facts = factsOf(place, abiPath(place, operands[0] ?? ''));
  if (json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else
    for (const [name, value] of Object.entries(facts)) process.stdout.write(`${name.padEnd(14)} ${value}\n`);
  return 0;
}

const ATTRIBUTES = ['kind', 'abi_path', 'origin', 'storage', 'bytes', 'token_estimate'] as const;

export function factsOf(root: string, path: string): Record<string, string | number> {
  const file = fileAt(root, path);
  try {
    const stat = lstatSync(file);
    const { uid, gid } = stat;
    const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
    return {
      path: path || '/',
      ...attributesOf(file, path, stat),
      type: typeOf(stat),
      mode,
      uid,
      gid,
      ...targetOf(file, stat),
    };
  } catch (error) {
    throw fromNodeError(error, { path });
  }
}

/** Linux shows attributes of files and directories alone; a link and a socket are known by where they stand. */
function attributesOf(file: string, path: string, stat: Stats): Record<string, string | number> {
  if (!stat.isFile() && !stat.isDirectory()) return { kind: kindByPath(path, stat) };
  const facts: Record<string, string | number> = {};
  for (const name of ATTRIBUTES) {
    const value = readXattr(file, `user.cortexfs.${name}`);
    if (value !== undefined && name !== 'abi_path') facts[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return Object.keys(facts).length === 0 ? { kind: 'ctx.unknown' } : facts;
}

function kindByPath(path: string, stat: Stats): string {
  const [, objectClass] = /^(agent|model)\/.+\.sock$/.exec(path) ?? [];
  if (objectClass !== undefined) return `ctx.${objectClass}.socket`;
  return stat.isSymbolicLink() ? 'ctx.symlink' : 'ctx.unknown';
}

function typeOf(stat: Stats): string {
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symlink';
  if (stat.isSocket()) return 'socket';
  return stat.isFile() ? 'file' : 'other';
}

function targetOf(file: string, stat: Stats): { target?: string } {
  return stat.isSymbolicLink() ? { target: readlinkSync(file) } : {};
}
