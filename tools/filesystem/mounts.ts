import { mountOf as uppermost } from '@cortexfs/linux/mount-table';

/** One mount that the process sees. Paths are byte strings (one character a byte). */
export interface Mount {
  readonly point: string;
  readonly type: string;
}

/** File systems that show the kernel, not files of anybody. */
const KERNEL_TYPES = new Set([
  'binfmt_misc',
  'bpf',
  'cgroup',
  'cgroup2',
  'configfs',
  'debugfs',
  'devpts',
  'devtmpfs',
  'efivarfs',
  'mqueue',
  'nsfs',
  'proc',
  'pstore',
  'securityfs',
  'sysfs',
  'tracefs',
]);

/** The mount that a canonical absolute path lies on. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount {
  return uppermost(path, mounts) ?? { point: '/', type: 'unknown' };
}

export function isKernelMount(mount: Mount): boolean {
  return KERNEL_TYPES.has(mount.type);
}
