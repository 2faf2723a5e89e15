// A stamp remembers the inputs of a finished step, so that the next run can leave it out.
// It is written last: an interrupted step has none and is done again.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout } from './checkout.mjs';

const unread = new Set(['node_modules', 'dist', 'generated', 'test', '.turbo', '.tap', '.git']);

export function stampMatches(name, value) {
  try {
    return readFileSync(stampFile(name), 'utf8') === value;
  } catch {
    return false;
  }
}

export function writeStamp(name, value) {
  const file = stampFile(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, value);
  renameSync(`${file}.new`, file);
}

export function clearStamp(name) {
  rmSync(stampFile(name), { force: true });
}

/** A digest of the contents of files and folders (paths relative to the checkout), with Node's own version. */
export function digestOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) addToDigest(hash, path);
  return hash.digest('hex');
}

function addToDigest(hash, path) {
  const full = join(checkout, path);
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) {
      if (!unread.has(name)) addToDigest(hash, join(path, name));
    }
    return;
  }
  hash.update(`\0${path}\0`).update(readFileSync(full));
}

function stampFile(name) {
  return join(checkout, 'dist', 'stamp', name);
}
