import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fromNodeError } from '@cortexfs/abi/errors';
import { type Launcher, parseLauncher } from '@cortexfs/abi/launcher';
import { dependencyFolders } from './dependency.ts';

/** What of the installation a sandbox must show, read-only and at the host's paths, for the launchers to work. */
export interface Closure {
  /** Files and folders without links. */
  paths: readonly string[];
  /** Links by which node looks the folders up. */
  links: readonly Link[];
}

export interface Link {
  path: string;
  target: string;
}

/** The node binaries, package folders and native dependencies that the launchers in the store's bin/ name. */
export function closureOf(store: string): Closure {
  const paths = new Set<string>();
  const links = new Map<string, string>();
  for (const { node, script } of launchersOf(store)) {
    follow(node, paths, links);
    const folder = packageOf(script);
    follow(folder, paths, links);
    for (const { path, target } of dependencyFolders(realpathSync(folder))) {
      paths.add(target);
      if (path !== target) links.set(path, target);
    }
  }
  paths.add(realpathSync(join(store, 'bin', RUNNER)));
  return { paths: outermost(paths), links: visibleLinks(links, paths) };
}

/** Objects name it as their interpreter by its path in the store. */
const RUNNER = 'cortexfs-object-runner';

function launchersOf(store: string): Launcher[] {
  const folder = join(store, 'bin');
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .map((name) => parseLauncher(readFileSync(join(folder, name), 'utf8')));
  } catch (error) {
    throw fromNodeError(error, { path: folder, layer: 'store', hint: 'ctx bootstrap' });
  }
}

/** `dist/NAME.js` in the folder of its package. */
function packageOf(script: string): string {
  return basename(dirname(script)) === 'dist' ? dirname(dirname(script)) : dirname(script);
}

function follow(path: string, paths: Set<string>, links: Map<string, string>): void {
  const target = realpathSync(path);
  paths.add(target);
  if (target !== path) links.set(path, target);
}

/** /usr is there anyway, and a folder brings what it holds. */
function outermost(paths: ReadonlySet<string>): string[] {
  return [...paths].filter(
    (path) => !within('/usr', path) && ![...paths].some((p) => p !== path && within(p, path)),
  );
}

/** A link below a shown folder shows itself. */
function visibleLinks(links: ReadonlyMap<string, string>, paths: ReadonlySet<string>): Link[] {
  const shown = ['/usr', ...paths];
  return [...links]
    .filter(([path]) => !shown.some((folder) => within(folder, path)) && !underLink(path))
    .map(([path, target]) => ({ path, target }));
}

/** Such as /bin/node, where /bin is a link that the sandbox has as well. */
function underLink(path: string): boolean {
  return lstatSync(`/${path.split('/')[1]}`).isSymbolicLink();
}

export function within(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
