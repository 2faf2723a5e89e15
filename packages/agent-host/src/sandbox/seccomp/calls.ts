/** Refused with EPERM: no program that an agent has a reason to run needs them (docs/sandbox.md). */
export const REFUSED_CALLS = [
  // Kernel keyrings are not namespaced: they may hold the user's secrets.
  'add_key',
  'request_key',
  'keyctl',
  // Large kernel surfaces.
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'fanotify_init',
  'lookup_dcookie',
  'name_to_handle_at',
  'open_by_handle_at',
  'modify_ldt',
  // Other mounts, other namespaces.
  'mount',
  'umount2',
  'pivot_root',
  'chroot',
  'move_mount',
  'open_tree',
  'open_tree_attr',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  'mount_setattr',
  'unshare',
  'setns',
  // Into another process, be it of the same agent: its shell decides what may be executed.
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'process_madvise',
  'pidfd_getfd',
  'kcmp',
  // The machine itself. They need capabilities that nobody in the sandbox has.
  'acct',
  'clock_adjtime',
  'clock_settime',
  'delete_module',
  'finit_module',
  'init_module',
  'ioperm',
  'iopl',
  'kexec_file_load',
  'kexec_load',
  'quotactl',
  'quotactl_fd',
  'reboot',
  'setdomainname',
  'sethostname',
  'settimeofday',
  'swapoff',
  'swapon',
  'syslog',
  'vhangup',
] as const;

/**
 * Answered with ENOSYS, as by an older kernel, so that programs take their other way: the filter cannot look into
 * clone3's argument block, and io_uring's operations pass by no filter at all.
 */
export const UNKNOWN_CALLS = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const;

/** Looked at together with an argument. */
export const INSPECTED_CALLS = ['clone', 'ioctl', 'socket', 'socketpair'] as const;

export type CallName =
  | (typeof REFUSED_CALLS)[number]
  | (typeof UNKNOWN_CALLS)[number]
  | (typeof INSPECTED_CALLS)[number];
