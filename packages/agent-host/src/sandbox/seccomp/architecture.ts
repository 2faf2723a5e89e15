import { CortexError } from '@cortexfs/abi/errors';
import type { CallName } from './calls.ts';

export interface Architecture {
  /** AUDIT_ARCH_… of the one calling convention that is allowed. */
  audit: number;
  /** Numbers from here on are a second convention (x32) that would walk past the rules. */
  foreignFrom?: number;
  /** A call that the architecture does not have is absent. */
  numbers: Readonly<Partial<Record<CallName, number>>>;
}

/** Every call that came after 5.0 has one number everywhere. */
const uniform = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
} as const;

const x64: Architecture = {
  audit: 0xc000003e,
  foreignFrom: 0x40000000,
  numbers: {
    ...uniform,
    ioctl: 16,
    socket: 41,
    socketpair: 53,
    clone: 56,
    ptrace: 101,
    syslog: 103,
    vhangup: 153,
    modify_ldt: 154,
    pivot_root: 155,
    chroot: 161,
    acct: 163,
    settimeofday: 164,
    mount: 165,
    umount2: 166,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    sethostname: 170,
    setdomainname: 171,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    lookup_dcookie: 212,
    clock_settime: 227,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    unshare: 272,
    perf_event_open: 298,
    fanotify_init: 300,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    clock_adjtime: 305,
    setns: 308,
    process_vm_readv: 310,
    process_vm_writev: 311,
    kcmp: 312,
    finit_module: 313,
    kexec_file_load: 320,
    bpf: 321,
    userfaultfd: 323,
  },
};

const arm64: Architecture = {
  audit: 0xc00000b7,
  numbers: {
    ...uniform,
    lookup_dcookie: 18,
    ioctl: 29,
    umount2: 39,
    mount: 40,
    pivot_root: 41,
    chroot: 51,
    vhangup: 58,
    quotactl: 60,
    acct: 89,
    unshare: 97,
    kexec_load: 104,
    init_module: 105,
    delete_module: 106,
    clock_settime: 112,
    syslog: 116,
    ptrace: 117,
    reboot: 142,
    sethostname: 161,
    setdomainname: 162,
    settimeofday: 170,
    socket: 198,
    socketpair: 199,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    clone: 220,
    swapon: 224,
    swapoff: 225,
    perf_event_open: 241,
    fanotify_init: 262,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    clock_adjtime: 266,
    setns: 268,
    process_vm_readv: 270,
    process_vm_writev: 271,
    kcmp: 272,
    finit_module: 273,
    bpf: 280,
    userfaultfd: 282,
    kexec_file_load: 294,
  },
};

/** ENOTSUP where no filter is known: a sandbox without one would be a weaker sandbox. */
export function architectureOf(arch: string): Architecture {
  if (arch === 'x64') return x64;
  if (arch === 'arm64') return arm64;
  throw new CortexError('ENOTSUP', `no system call filter for the processor architecture ${arch}`, {
    layer: 'sandbox',
    hint: 'use a machine with an x86_64 or aarch64 processor',
  });
}
