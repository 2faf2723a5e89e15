import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deployment } from '../../place/deployment.ts';
import { launches } from '../../place/launches.ts';
import { mountReceipt, servesStill } from '../../place/receipt.ts';
import { chosenRoot, faultOf } from '../../place/root.ts';
import { type Finding, fail, ok, warn } from '../check.ts';

/** Store, runtime directory, mount, launch receipts and residue of this installation. */
export function checkInstallation(rootOption: string | undefined): Finding[] {
  const { store, runtime } = deployment();
  return [
    ownDirectory('store', store, 0o022, 'ctx bootstrap'),
    ownDirectory('runtime', runtime, 0o077, 'ctx mount'),
    mount(rootOption, runtime),
    ...receipts(runtime),
    residue(store),
  ];
}

/** Ours, a directory and no link, and without the permission bits that `forbidden` names. */
function ownDirectory(check: string, path: string, forbidden: number, create: string): Finding {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return fail(check, `${path} does not exist`, create);
  if (!stat.isDirectory()) return fail(check, `${path} is not a directory`, `look at it, then: rm ${path}`);
  if (stat.uid !== process.getuid!())
    return fail(
      check,
      `${path} belongs to uid ${stat.uid}`,
      `as root: chown -R ${process.getuid!()} ${path}`,
    );
  const open = stat.mode & forbidden;
  return open === 0
    ? ok(check, path)
    : fail(
        check,
        `${path} is open to others (mode ${(stat.mode & 0o7777).toString(8)})`,
        `chmod go-w ${path}`,
      );
}

function mount(option: string | undefined, runtime: string): Finding {
  const root = chosenRoot(option);
  const receipt = mountReceipt(runtime);
  const fault = faultOf(root);
  if (fault) return fail('mount', `${root}: ${fault}`, 'ctx mount');
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
