import { CortexError } from '@cortexfs/abi/errors';
import type { Node } from './node/node.ts';
import { refuse } from './refuse.ts';
import { DIRECTORY, REGULAR, SYMLINK, typeOf } from './store/mode.ts';

const PREFIX = 'user.cortexfs.';

/** What each read-only attribute says of a node; undefined where it says nothing (docs/mount.md). */
const VALUES: Readonly<Record<string, (node: Node) => string | undefined>> = {
  kind: (node) => node.kind,
  abi_path: (node) => node.path(),
  origin: (node) => node.origin,
  storage: (node) => (isDirectory(node) ? undefined : node.storage),
  bytes: (node) => bytesOf(node)?.toString(),
  // Four bytes a token, as the context window counts.
  token_estimate: (node) => tokensOf(node)?.toString(),
};

export function getXattr(node: Node, name: string): Buffer {
  const read = name.startsWith(PREFIX) ? readerOf(name.slice(PREFIX.length)) : undefined;
  const value = read?.(node);
  if (value === undefined) throw new CortexError('ENODATA', `no attribute ${name}`, { path: node.path() });
  return Buffer.from(value);
}

export function listXattrs(node: Node): string[] {
  // Linux lets nobody read a `user.` attribute of a symbolic link; names that cannot be read would fail every copy.
  if (typeOf(node.attr().mode) === SYMLINK) return [];
  return Object.keys(VALUES)
    .filter((name) => VALUES[name]!(node) !== undefined)
    .map((name) => PREFIX + name);
}

/** Our own attributes are facts; others are not kept. */
export function refuseXattr(node: Node, name: string): never {
  if (name.startsWith(PREFIX)) throw refuse('EPERM', node.path(), `${name} is read-only`);
  throw refuse('ENOTSUP', node.path(), 'extended attributes are not stored');
}

function bytesOf(node: Node): number | undefined {
  const { mode, size } = node.attr();
  return typeOf(mode) === REGULAR ? size : undefined;
}

function tokensOf(node: Node): number | undefined {
  const bytes = bytesOf(node);
  return bytes === undefined ? undefined : Math.ceil(bytes / 4);
}

const isDirectory = (node: Node) => typeOf(node.attr().mode) === DIRECTORY;

function readerOf(name: string): ((node: Node) => string | undefined) | undefined {
  return Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
}
