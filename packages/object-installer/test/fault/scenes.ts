import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitWords } from '@cortexfs/abi/command-words';
import { parseObjectName } from '@cortexfs/abi/names';
import { audit } from '../../src/residue/audit.ts';
import { cleanup } from '../../src/residue/cleanup.ts';
import { commandFor, uninstallCommand } from '../../src/residue/resolve.ts';
import type { Changing } from '../../src/step/lists.ts';
import type { Watcher } from '../../src/step/watcher.ts';
import { uninstall } from '../../src/uninstall/uninstall.ts';
import { installedVersion, installIn, replaceIn, uninstallIn } from '../support/commands.ts';
import { Site } from '../support/store.ts';

/** One of the commands that change a store, with what is there before; for tests and for the processes that they stop. */
export interface Scene {
  /** Everything up to the command. */
  prepare(site: Site): Promise<void>;
  run(site: Site, watcher?: Watcher): Promise<unknown>;
  /** What may be installed after a stop at any moment, beside nothing. */
  old: string | undefined;
  new: string | undefined;
}

const RESIDUE = 'tool/.cortexfs-install-left';

export const SCENES: Record<Changing, Scene> = {
  install: {
    prepare: async (site) => void site.manifest('2.0.0', CONTENT.new),
    run: (site, watcher) => installIn(site, manifestOf(site, '2.0.0'), {}, watcher),
    old: undefined,
    new: '2.0.0',
  },
  replace: {
    async prepare(site) {
      await installIn(site, site.manifest('1.0.0', CONTENT.old));
      site.manifest('2.0.0', CONTENT.new);
    },
    run: (site, watcher) => replaceIn(site, manifestOf(site, '2.0.0'), 'upgrade', true, watcher),
    old: '1.0.0',
    new: '2.0.0',
  },
  uninstall: {
    prepare: async (site) => void (await installIn(site, site.manifest('1.0.0', CONTENT.old))),
    run: (site, watcher) => uninstallIn(site, true, watcher),
    old: '1.0.0',
    new: undefined,
  },
  cleanup: {
    async prepare(site) {
      mkdirSync(join(site.store, RESIDUE, 'controls'), { recursive: true });
      writeFileSync(join(site.store, RESIDUE, 'executable'), CONTENT.new);
    },
    run(site, watcher) {
      const { dev, ino } = lstatSync(join(site.store, RESIDUE), { bigint: true });
      return cleanup({ source: site.store, path: RESIDUE, inode: { dev, ino }, yes: true }, watcher);
    },
    old: undefined,
    new: undefined,
  },
};

export const CONTENT = { old: '#!/bin/sh\necho old\n', new: `#!/bin/sh\necho new\n${'#'.repeat(20_000)}\n` };

const manifestOf = (site: Site, version: string) => join(site.folder, `v${version}`, 'object.json');

/** A site in which the command of the scene can be run. */
export async function siteOf(command: Changing, parent?: string): Promise<Site> {
  const site = parent === undefined ? new Site() : new Site('user', parent);
  await SCENES[command].prepare(site);
  return site;
}

/**
 * Why what a stopped or failed command left is none of: the old object whole, the new object whole, no object and
 * everything that is left told by the audit. Undefined when it is.
 */
export async function faultOf(command: Changing, site: Site): Promise<string | undefined> {
  const { old, new: next } = SCENES[command];
  const told = audit(site.store);
  const known = [
    ...told.residue.map(({ path }) => path.slice(site.place.length + 1)),
    ...told.incomplete.map(({ name }) => `${name}.d`),
  ];
  const visible = site.names().includes('example.echo');
  const version = visible ? await installedVersion(site) : undefined;
  if (visible && version !== old && version !== next) return `version ${version} is there`;
  if (visible) known.push('example.echo', 'example.echo.d');
  const more = site.names().filter((name) => !known.includes(name));
  return more.length === 0 ? undefined : `nobody tells of ${more.join(', ')}`;
}

/** Runs the command that the audit names for each thing that is left; then only a whole object, or nothing, may
 * be there. With `again`, one can be installed there once more. */
export async function resolve(command: Changing, site: Site, again = true): Promise<string | undefined> {
  const { residue, incomplete } = audit(site.store);
  const commands = [
    ...residue.map((item) => commandFor(site.store, item)),
    ...incomplete.map((item) => uninstallCommand(site.store, item)),
  ];
  for (const line of commands) await runPrinted(splitWords(line));
  const after = audit(site.store);
  if (after.residue.length + after.incomplete.length > 0)
    return `after ${commands.join('; ')} there is still residue`;
  const fault = await faultOf(command, site);
  if (fault !== undefined) return `after ${commands.join('; ')}: ${fault}`;
  return !again || (await worksAgain(site)) ? undefined : 'nothing can be installed there any more';
}

/** What the program of such a command line does. */
async function runPrinted(words: readonly string[]): Promise<void> {
  const value = (option: string) => words[words.indexOf(option) + 1]!;
  const [program, , verb] = words;
  if (program === 'rm') {
    rmSync(words.at(-1)!, { recursive: true });
  } else if (verb === 'residue') {
    const inode = { dev: BigInt(value('--dev')), ino: BigInt(value('--ino')) };
    await cleanup({ source: value('--source'), path: value('--path'), inode, yes: words.includes('--yes') });
  } else {
    const [, name = ''] = words.slice(words.indexOf(value('--source')) + 1);
    const tier = value('--tier') as 'user' | 'system';
    const target = { class: 'tool', name: parseObjectName(name), tier } as const;
    await uninstall({ source: value('--source'), target, yes: words.includes('--yes') });
  }
}

async function worksAgain(site: Site): Promise<boolean> {
  const manifest = site.manifest('3.0.0', CONTENT.new);
  if ((await installedVersion(site)) === undefined) await installIn(site, manifest);
  else await replaceIn(site, manifest);
  return readFileSync(site.at('example.echo'), 'utf8') === CONTENT.new;
}
