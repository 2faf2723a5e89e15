import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mountReceipt, servesStill } from '@cortexfs/linux/mount-receipt';
import { findPlace, type Place } from '@cortexfs/linux/place';
import { launches } from '../../place/launches.ts';
import { faultOf, mountHint } from '../../place/root.ts';
import { type Finding, fail, ok, warn } from '../check.ts';
import { checkProviders } from './providers.ts';

/** Store, runtime directory, mount, launch receipts and residue of this installation. */
export function checkInstallation(rootOption: string | undefined): Finding[] {
  const place = findPlace(rootOption);
  const { kind, store, runtime, mountRuntime } = place;
  const system = kind === 'system';
  const self = process.getuid!();
  return [
    system
      ? directoryOf(0, 'store', store, 0o022, 'as root: ctx bootstrap --system')
      : directoryOf(self, 'store', store, 0o022, 'ctx bootstrap'),
    ...(system ? [directoryOf(0, 'runtime', mountRuntime, 0o022, mountHint(kind))] : []),
    ...(system && self !== 0 ? [ownRuntime(runtime)] : []),
    ...(system ? [] : [directoryOf(self, 'runtime', runtime, 0o077, mountHint(kind))]),
    mount(place),
    ...receipts(runtime),
    residue(store),
    ...checkProviders(place),
  ];
}

/** Where this user's agents on the machine's mount keep what runs; made by the first start. */
function ownRuntime(path: string): Finding {
  return existsSync(path)
    ? directoryOf(process.getuid!(), 'runtime', path, 0o077, '')
    : ok('runtime', `${path} is made by the first start of an agent`);
}

/** Somebody's own, a directory and no link, and without the permission bits that `forbidden` names. */
function directoryOf(owner: number, check: string, path: string, forbidden: number, create: string): Finding {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return fail(check, `${path} does not exist`, create);
  if (!stat.isDirectory()) return fail(check, `${path} is not a directory`, `look at it, then: rm ${path}`);
  if (stat.uid !== owner)
    return fail(check, `${path} belongs to uid ${stat.uid}`, `as root: chown -R ${owner} ${path}`);
  const open = stat.mode & forbidden;
  return open === 0
    ? ok(check, path)
    : fail(
        check,
        `${path} is open to others (mode ${(stat.mode & 0o7777).toString(8)})`,
        `chmod go-w ${path}`,
      );
}

function mount(place: Place): Finding {
  const { root, mountRuntime } = place;
  const receipt = mountReceipt(mountRuntime);
  const fault = faultOf(place);
  if (fault) return fail('mount', `${root}: ${fault.what}`, fault.hint);
  if (!receipt) return warn('mount', `${root} answers, but there is no receipt of it here`);
  if (!servesStill(receipt))
    return fail('mount', `the receipt names pid ${receipt.pid}, which is gone`, 'ctx umount; ctx mount');
  return receipt.transport === 'plain'
    ? warn('mount', `${root} is the plain store: nothing is enforced`, 'ctx umount; ctx mount')
    : ok('mount', `${root} (${receipt.transport})`);
}

/** A receipt whose process is gone was left by a crash. */
function receipts(runtime: string): Finding[] {
  const stale = launches(runtime)
    .filter(({ running }) => !running)
    .map(({ agent, name }) =>
      warn('receipts', `${agent}/${name} is stale: its process is gone`, `ctx agent stop ${agent}`),
    );
  return stale.length > 0 ? stale : [ok('receipts', 'none is stale')];
}

function residue(store: string): Finding {
  const homes = namesIn(join(store, 'home')).flatMap((uid) => [`home/${uid}/tool`, `home/${uid}/agent`]);
  const found = ['tool', 'agent', ...homes].flatMap((folder) =>
    namesIn(join(store, folder)).filter((name) =>
      /^\.(cortexfs-(install|cleanup)-|ctx-rollback-)/.test(name),
    ),
  );
  return found.length === 0
    ? ok('residue', 'none')
    : warn('residue', found.join(', '), `ctx object residue audit --source ${store}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
