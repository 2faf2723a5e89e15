import fc from 'fast-check';
import t from 'tap';
import {
  cortexMountAt,
  isBeneath,
  mountOf,
  mountsAt,
  parseMountTable,
  readMountTable,
} from '../src/mount-table.ts';

const text = [
  '22 1 0:21 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw',
  '44 27 0:41 / /ctx rw,nosuid - fuse.cortexfs /var/lib/cortexfs rw,user_id=0',
  '45 27 0:42 /sub /tmp/a\\040b\\011c\\012d\\134e ro,nodev - tmpfs a\\040source rw',
  '46 45 0:43 / /workspace/.git rw unbindable - fuse.x  rw',
  '47 45 0:43 / /workspace/.git rw,rohc - proc proc rw',
  '',
].join('\n');

t.test('each line is one mount, with and without optional fields, escaped signs undone', async (t) => {
  t.same(parseMountTable(text), [
    { id: 22, root: '/', point: '/', readOnly: false, type: 'ext4', source: '/dev/root' },
    { id: 44, root: '/', point: '/ctx', readOnly: false, type: 'fuse.cortexfs', source: '/var/lib/cortexfs' },
    { id: 45, root: '/sub', point: '/tmp/a b\tc\nd\\e', readOnly: true, type: 'tmpfs', source: 'a source' },
    { id: 46, root: '/', point: '/workspace/.git', readOnly: false, type: 'fuse.x', source: '' },
    { id: 47, root: '/', point: '/workspace/.git', readOnly: false, type: 'proc', source: 'proc' },
  ]);
});

t.test('lines that make no sense are no mounts', async (t) => {
  for (const line of [
    '',
    'x',
    ' - ',
    'x 1 0:1 / /a rw - ext4 s rw',
    '1 1 0:1 / a rw - ext4 s rw',
    '1 1 0:1 / /a - ext4 s rw',
    '1 1 0:1 / /a rw ext4 s rw',
    '1 1 0:1 / /a rw - ',
  ])
    t.same(parseMountTable(line), [], line);
});

t.test('random text is never an error', async () => {
  fc.assert(fc.property(fc.string(), (random) => Array.isArray(parseMountTable(random))));
});

t.test('any point comes back as it was before the kernel escaped it', async () => {
  const escaped = (path: string) =>
    path.replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
  fc.assert(
    fc.property(fc.string(), (name) => {
      const [mount] = parseMountTable(`1 1 0:1 / /${escaped(name.replaceAll('\n', ''))} rw - ext4 s rw`);
      return mount?.point === `/${name.replaceAll('\n', '')}`;
    }),
  );
});

t.test('a path lies on the longest mount point above it, of several there on the last', async (t) => {
  const mounts = parseMountTable(text);
  const cases = {
    '/workspace/.git': 47,
    '/workspace/.git/config': 47,
    '/workspace/.gitignore': 22,
    '/ctx': 44,
    '/ctx/agent': 44,
    '/ctxx': 22,
    '/': 22,
  };
  for (const [path, id] of Object.entries(cases)) t.equal(mountOf(path, mounts)?.id, id, path);
  t.equal(mountOf('/a', []), undefined);
});

t.test('beneath means the folder or something in it, never a longer name', async (t) => {
  t.ok(isBeneath('/a/b', '/a'));
  t.ok(isBeneath('/a', '/a'));
  t.ok(isBeneath('/anything', '/'));
  t.notOk(isBeneath('/ab', '/a'));
  t.notOk(isBeneath('/', '/a'));
});

t.test('the running system’s own table', async (t) => {
  t.match(mountsAt('/proc'), [{ point: '/proc', type: 'proc' }]);
  t.match(readMountTable(process.pid, 'latin1'), readMountTable());
  t.same(mountsAt('/nonexistent'), []);
  t.equal(cortexMountAt('/proc'), undefined);
  t.throws(() => readMountTable(2 ** 30), { code: 'ENOENT' });
});
