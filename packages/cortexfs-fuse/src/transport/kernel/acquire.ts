import { closeSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { receiveDescriptor, socketPair } from '@cortexfs/linux/descriptor-passing';
import { openDevice } from '../device.ts';
import { runProgram } from '../mount-point/program.ts';
import { shownSource } from '../mount-point/shown-source.ts';

export interface AcquireOptions {
  /** Canonical path of an existing directory. */
  readonly path: string;
  /** What the mount table names as source. */
  readonly source: string;
  /** Users other than the mounting one may use the mount. */
  readonly allowOther: boolean;
}

/**
 * Mounts, and returns the descriptor of /dev/fuse on which the kernel will ask. Root mounts by itself; others through
 * fusermount3, which is setuid root. The mode bits that the file system reports are enforced by the kernel.
 */
export async function acquireDevice(options: AcquireOptions): Promise<number> {
  const device = openDevice();
  try {
    if (process.geteuid!() === 0) {
      await mountAsRoot(device, options);
      return device;
    }
  } catch (error) {
    closeSync(device);
    throw error;
  }
  // It could be opened; the one to serve comes from fusermount3.
  closeSync(device);
  return await mountAsUser(options);
}

async function mountAsRoot(device: number, { path, source, allowOther }: AcquireOptions): Promise<void> {
  const options = [
    'fd=3',
    'rootmode=40000',
    'user_id=0',
    `group_id=${process.getegid!()}`,
    ...commonOptions(allowOther),
    'subtype=cortexfs',
  ];
  const args = ['-i', '-t', 'fuse', '-o', options.join(','), '--', shownSource(source), path];
  const { status, stderr } = await runProgram('mount', args, { descriptor: device });
  if (status !== 0) throw refused(path, 'mount', status, stderr);
}

async function mountAsUser({ path, source, allowOther }: AcquireOptions): Promise<number> {
  const options = [...commonOptions(allowOther), `fsname=${shownSource(source)}`, 'subtype=cortexfs'];
  const [ours, theirs] = socketPair();
  try {
    const args = ['-o', options.join(','), '--', path];
    const { status, stderr } = await runProgram('fusermount3', args, {
      env: { _FUSE_COMMFD: '3' },
      descriptor: theirs,
    });
    if (status !== 0) throw refused(path, 'fusermount3', status, stderr);
    return receiveDescriptor(ours);
  } finally {
    closeSync(ours);
    closeSync(theirs);
  }
}

function commonOptions(allowOther: boolean): string[] {
  return ['rw', 'nosuid', 'nodev', 'default_permissions', ...(allowOther ? ['allow_other'] : [])];
}

function refused(path: string, program: string, status: number | null, stderr: string): CortexError {
  const denied = DENIALS.find(({ pattern }) => pattern.test(stderr));
  const message = `${program} refused: ${stderr || `exit status ${status}`}`;
  return new CortexError(denied ? 'EACCES' : 'EIO', message, { path, layer: 'mount', hint: denied?.hint });
}

/** What the two programs say when it is a matter of permission, and what helps. */
const DENIALS: { pattern: RegExp; hint: string }[] = [
  {
    pattern: /user_allow_other/,
    hint: 'add the line user_allow_other to /etc/fuse.conf, or leave out --allow-other',
  },
  {
    pattern: /permission denied|not permitted|must be superuser|no write permission|has no write access/i,
    hint: 'mount at a directory of your own; in a container, start it with --cap-add SYS_ADMIN --device /dev/fuse',
  },
];
