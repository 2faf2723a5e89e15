import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { resolveDeployment } from '@cortexfs/abi/deployment';
import type { Arguments } from './arguments.ts';

/** `--source`, else the store of the caller's own deployment. */
export function sourceOf(args: Arguments): string {
  const store = resolveDeployment({ uid: process.geteuid!(), home: homedir(), env: process.env }).store;
  return resolve(args.value('--source') ?? store);
}
