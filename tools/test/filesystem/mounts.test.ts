import fc from 'fast-check';
import t from 'tap';
import { isBeneath, isKernelMount, mountOf, parseMounts } from '../../filesystem/mounts.ts';

const table = [
  '22 1 0:21 / / rw,relatime - tmpfs tmpfs rw',
  '23 22 8:1 /home/me/p /workspace rw,nosuid shared:1 master:2 - ext4 /dev/sda1 rw',
  '24 23 8:1 /home/me/p/.git /workspace/.git ro - ext4 /dev/sda1 rw',
  '25 22 0:5 / /proc rw - proc proc rw',
  '26 22 8:1 /x /with\\040blank\\134and rw - ext4 /dev/sda1 rw',
  '',
].join('\n');

t.test('mountinfo gives mount points and types, with their octal escapes undone', async (t) => {
  t.same(parseMounts(table), [
    { point: '/', type: 'tmpfs' },
    { point: '/workspace', type: 'ext4' },
    { point: '/workspace/.git', type: 'ext4' },
    { point: '/proc', type: 'proc' },
    { point: '/with blank\\and', type: 'ext4' },
  ]);
});

t.test('a path lies on the longest mount point above it', async (t) => {
  const mounts = parseMounts(table);
  t.equal(mountOf('/workspace/src/a', mounts).point, '/workspace');
  t.equal(mountOf('/workspace', mounts).point, '/workspace');
  t.equal(mountOf('/workspace-2/a', mounts).point, '/');
  t.equal(mountOf('/workspace/.git/config', mounts).point, '/workspace/.git');
  t.equal(mountOf('/workspace/.gitignore', mounts).point, '/workspace');
});

t.test('of two mounts on one point the later one counts', async (t) => {
  const mounts = [
    { point: '/a', type: 'ext4' },
    { point: '/a', type: 'proc' },
  ];
  t.equal(mountOf('/a/b', mounts).type, 'proc');
});

t.test('kernel file systems are told from those that hold files', async (t) => {
  for (const type of ['proc', 'sysfs', 'devpts', 'cgroup2']) t.ok(isKernelMount({ point: '/x', type }), type);
  for (const type of ['ext4', 'tmpfs', 'overlay', 'fuse', 'btrfs'])
    t.notOk(isKernelMount({ point: '/x', type }), type);
});

t.test('beneath means the folder or something in it, never a longer name', async (t) => {
  t.ok(isBeneath('/a/b', '/a'));
  t.ok(isBeneath('/a', '/a'));
  t.ok(isBeneath('/anything', '/'));
  t.notOk(isBeneath('/ab', '/a'));
  t.notOk(isBeneath('/', '/a'));
});

t.test('random text is never an error', async () => {
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseMounts(text))));
});
