import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Deployment, resolveDeployment } from '@cortexfs/abi/deployment';
import { CortexError } from '@cortexfs/abi/errors';
import { runtimeTree, STATUS } from '@cortexfs/abi/paths';
import { type MountReceipt, parseMountReceipt } from '@cortexfs/abi/receipt/mount';
import type { Site } from './instance.ts';

export interface SiteOptions {
  root?: string | undefined;
  source?: string | undefined;
  runtime?: string | undefined;
}

/** Where to work: what the options name, else what the mount's receipt says, else the user's own deployment. */
export function siteOf(options: SiteOptions): Site {
  const deployment = resolveDeployment({ uid: process.getuid!(), home: homedir(), env: process.env });
  const runtime = resolve(options.runtime ?? deployment.runtime);
  const receipt = mountReceipt(runtime);
  const root = resolve(options.root ?? receipt?.root ?? deployment.defaultMount);
  return { runtime, root, store: resolve(options.source ?? storeOf(root, receipt, deployment)) };
}

function storeOf(root: string, receipt: MountReceipt | undefined, { store }: Deployment): string {
  return receipt?.root === root ? receipt.source : store;
}

/** ENOTCONN when nothing answers at the root: an agent without its view cannot be started. */
export function requireMount({ root }: Site): void {
  const fault = faultOf(root);
  if (fault === undefined) return;
  throw new CortexError('ENOTCONN', `${root}: ${fault}`, { layer: 'mount', hint: 'ctx mount' });
}

function faultOf(root: string): string | undefined {
  try {
    return readFileSync(`${root}/${STATUS}`, 'utf8') === 'ready\n'
      ? undefined
      : 'this is not a CortexFS root';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'CortexFS is not mounted here' : `the mount does not answer (${code})`;
  }
}

/** The receipt of the runtime directory's mount; undefined when there is none that can be read. */
export function mountReceipt(runtime: string): MountReceipt | undefined {
  try {
    return parseMountReceipt(readFileSync(runtimeTree(runtime).mountReceipt, 'utf8'));
  } catch {
    return undefined;
  }
}
