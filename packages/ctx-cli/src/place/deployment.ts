import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolveDeployment } from '@cortexfs/abi/deployment';

/** The calling user's deployment. */
export function deployment() {
  return resolveDeployment({
    uid: process.getuid!(),
    home: homedir(),
    env: process.env,
    ctxWritable: isWritableDirectory('/ctx'),
  });
}

function isWritableDirectory(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
