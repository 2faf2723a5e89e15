import { CortexError } from '@cortexfs/abi/errors';
import { inspect } from '../../src/inspect/inspect.ts';
import { type InstallOptions, install } from '../../src/install/install.ts';
import type { Verb } from '../../src/replace/order.ts';
import { replace } from '../../src/replace/replace.ts';
import type { Watcher } from '../../src/step/watcher.ts';
import { uninstall } from '../../src/uninstall/uninstall.ts';
import type { Site } from './store.ts';

export function installIn(
  site: Site,
  manifest: string,
  options: Partial<InstallOptions> = {},
  watcher?: Watcher,
) {
  return install({ source: site.store, tier: site.tier, manifest, dryRun: false, ...options }, watcher);
}

export function replaceIn(
  site: Site,
  manifest: string,
  verb: Verb = 'replace',
  yes = true,
  watcher?: Watcher,
) {
  return replace({ verb, source: site.store, manifest, tier: site.tier, yes }, watcher);
}

export function uninstallIn(site: Site, yes = true, watcher?: Watcher) {
  return uninstall({ source: site.store, target: site.target, yes }, watcher);
}

export function inspectIn(site: Site) {
  return inspect(site.store, site.target);
}

/** What is installed: its version, or nothing; fails when it is neither whole nor absent. */
export async function installedVersion(site: Site): Promise<string | undefined> {
  try {
    const { receipt } = await inspectIn(site);
    return receipt.object_version ?? 'v1';
  } catch (err) {
    if (err instanceof CortexError && err.code === 'ENOENT') return undefined;
    throw err;
  }
}
