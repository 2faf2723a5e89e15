import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Link } from './closure.ts';

/**
 * The folders of everything that a package needs at run time, found the way node finds them: `node_modules` of the
 * folder and of those above. What is not installed (an optional part for another platform) is left out.
 */
export function dependencyFolders(folder: string): Link[] {
  const found = new Map<string, string>();
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of dependenciesOf(next)) {
      const path = lookUp(name, next);
      if (path === undefined || found.has(path)) continue;
      const target = realpathSync(path);
      found.set(path, target);
      pending.push(target);
    }
  }
  return [...found].map(([path, target]) => ({ path, target }));
}

interface PackageJson {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function dependenciesOf(folder: string): string[] {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(text) as PackageJson;
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

function lookUp(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (isPackage(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

function isPackage(path: string): boolean {
  try {
    readFileSync(join(path, 'package.json'));
    return true;
  } catch {
    return false;
  }
}
