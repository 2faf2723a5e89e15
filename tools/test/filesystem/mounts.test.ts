import t from 'tap';
import { isKernelMount, mountOf } from '../../filesystem/mounts.ts';

t.test('a path lies on the longest mount point above it, of two on one point on the later one', async (t) => {
  const mounts = [
    { point: '/', type: 'tmpfs' },
    { point: '/workspace', type: 'ext4' },
    { point: '/a', type: 'ext4' },
    { point: '/a', type: 'proc' },
  ];
  t.equal(mountOf('/workspace/src/a', mounts).point, '/workspace');
  t.equal(mountOf('/workspace-2/a', mounts).point, '/');
  t.equal(mountOf('/a/b', mounts).type, 'proc');
  t.same(
    mountOf('/a', []),
    { point: '/', type: 'unknown' },
    'without a table nothing is taken for a kernel mount',
  );
});

t.test('kernel file systems are told from those that hold files', async (t) => {
  for (const type of ['proc', 'sysfs', 'devpts', 'cgroup2']) t.ok(isKernelMount({ point: '/x', type }), type);
  for (const type of ['ext4', 'tmpfs', 'overlay', 'fuse', 'btrfs'])
    t.notOk(isKernelMount({ point: '/x', type }), type);
});
