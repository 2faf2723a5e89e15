import t from 'tap';
import { makeSite } from '../site.ts';
import { attempt } from './calls.ts';

const [CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET, SIGCHLD] = [0x20000, 0x10000000, 0x40000000, 17];
const [TIOCSTI, TIOCLINUX, TIOCGWINSZ] = [0x5412, 0x541c, 0x5413];
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_ALG, AF_VSOCK] = [1, 2, 10, 16, 17, 38, 40];

t.test('typing into a terminal is refused, asking for its size is not', async (t) => {
  const results = await attempt(makeSite(t), {
    sti: ['ioctl', 0, TIOCSTI, 'x'],
    stiWithHighBits: ['ioctl', 0, TIOCSTI + 2 ** 32, 'x'],
    linux: ['ioctl', 0, TIOCLINUX, '\u0003'],
    size: ['ioctl', 0, TIOCGWINSZ, '12345678'],
  });
  t.match(results, { sti: 'EPERM', stiWithHighBits: 'EPERM', linux: 'EPERM' });
  t.equal(results['size'], 'ENOTTY', 'the kernel itself answered: standard input is no terminal');
});

t.test('keyrings, bpf and io_uring are out of reach', async (t) => {
  const results = await attempt(makeSite(t), {
    keyctl: ['keyctl', 0, -3, 1],
    addKey: ['add_key', 'user', 'name', 'secret', 6, -3],
    requestKey: ['request_key', 'user', 'name', 0, -3],
    bpf: ['bpf', 0, 0, 0],
    perf: ['perf_event_open', 0, 0, 0],
    uring: ['io_uring_setup', 1, 0],
    uringEnter: ['io_uring_enter', 1, 0],
    userfaultfd: ['userfaultfd', 1],
  });
  t.same(results, {
    keyctl: 'EPERM',
    addKey: 'EPERM',
    requestKey: 'EPERM',
    bpf: 'EPERM',
    perf: 'EPERM',
    uring: 'ENOSYS',
    uringEnter: 'ENOSYS',
    userfaultfd: 'EPERM',
  });
});

t.test('no mount and no new namespace, an ordinary child process is fine', async (t) => {
  const site = makeSite(t);
  const results = await attempt(site, {
    mount: ['mount', 'none', '/tmp', 'tmpfs'],
    umount: ['umount2', '/tmp', 2],
    pivot: ['pivot_root', '/tmp', '/tmp'],
    chroot: ['chroot', '/tmp'],
    openTree: ['open_tree', -100, '/', 1],
    fsopen: ['fsopen', 'tmpfs', 0],
    moveMount: ['move_mount', 0, 0],
    setattr: ['mount_setattr', -100, '/'],
    unshareUser: ['unshare', CLONE_NEWUSER],
    unshareMount: ['unshare', CLONE_NEWNS],
    setns: ['setns', 0, 0],
    cloneUser: ['clone', CLONE_NEWUSER + SIGCHLD],
    cloneNet: ['clone', CLONE_NEWNET + SIGCHLD],
    clone3: ['clone3', 0, 0],
  });
  const { clone3, ...others } = results;
  t.equal(clone3, 'ENOSYS');
  t.same([...new Set(Object.values(others))], ['EPERM'], 'every one of them is refused');
});

t.test('another process cannot be read or traced', async (t) => {
  const results = await attempt(makeSite(t), {
    attach: ['ptrace', 16, 1],
    traceme: ['ptrace', 0],
    readv: ['process_vm_readv', 1, 0, 0],
    writev: ['process_vm_writev', 1, 0, 0],
    getfd: ['pidfd_getfd', 0, 0],
  });
  t.same([...new Set(Object.values(results))], ['EPERM']);
});

t.test('only socket families that a network namespace holds', async (t) => {
  const results = await attempt(makeSite(t), {
    unix: ['socket', AF_UNIX, 1],
    inet: ['socket', AF_INET, 1],
    inet6: ['socket', AF_INET6, 1],
    netlink: ['socket', AF_NETLINK, 3],
    packet: ['socket', AF_PACKET, 3],
    alg: ['socket', AF_ALG, 5],
    vsock: ['socket', AF_VSOCK, 1],
    vsockPair: ['socketpair', AF_VSOCK, 1, 0, '12345678'],
  });
  t.same(results, {
    unix: 'ok',
    inet: 'ok',
    inet6: 'ok',
    netlink: 'ok',
    packet: 'EAFNOSUPPORT',
    alg: 'EAFNOSUPPORT',
    vsock: 'EAFNOSUPPORT',
    vsockPair: 'EAFNOSUPPORT',
  });
});
