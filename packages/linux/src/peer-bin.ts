import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CortexError } from '@cortexfs/abi/errors';

/** The packages that hold a bin; a bin's file is `dist/FOLDER.js` in each. */
export type PeerPackage =
  | 'ctx-cli'
  | 'ctxterm'
  | 'tsh'
  | 'cortexfs-object-runner'
  | 'cortexfs-fuse'
  | 'agent-host'
  | 'object-installer';

/**
 * The absolute path of another bin's JavaScript file, to be run as `process.execPath PATH …`. Looked for beside the
 * package that asks, as in the workspace and under `npm i -g`, and nowhere else: neither PATH nor the working
 * directory may say what runs. ENOENT names the package to install.
 */
export function findPeerBin(name: PeerPackage, from: string = fileURLToPath(import.meta.url)): string {
  const path = join(dirname(packageOf(from)), name, 'dist', `${name}.js`);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return realpathSync(path);
  throw new CortexError('ENOENT', `${name} is not installed beside this program`, {
    path,
    layer: 'runtime',
    hint: `npm i -g @cortexfs/${name}`,
  });
}

/** The folder of the package that a file belongs to: the nearest one above with a package.json, which `dist` may have too. */
function packageOf(file: string): string {
  for (let folder = dirname(realpathSync(file)); ; folder = dirname(folder)) {
    const isPackage = basename(folder) !== 'dist' && existsSync(join(folder, 'package.json'));
    if (isPackage || folder === dirname(folder)) return folder;
  }
}
