import t from 'tap';
import { mountsAt, parseMountTable } from '../../../src/transport/mount-point/table.ts';

t.test('lines with and without optional fields, and escaped signs', (t) => {
  const text = [
    '22 1 0:21 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw',
    '44 27 0:41 / /ctx rw,nosuid - fuse.cortexfs /var/lib/cortexfs rw,user_id=0',
    '45 27 0:42 / /tmp/a\\040b\\011c\\012d\\134e rw - tmpfs a\\040source rw',
    '',
  ].join('\n');
  t.same(parseMountTable(text), [
    { mountPoint: '/', type: 'ext4', source: '/dev/root' },
    { mountPoint: '/ctx', type: 'fuse.cortexfs', source: '/var/lib/cortexfs' },
    { mountPoint: '/tmp/a b\tc\nd\\e', type: 'tmpfs', source: 'a source' },
  ]);
  t.end();
});

t.test('lines that make no sense are no mounts', (t) => {
  t.same(parseMountTable('x\n - \n'), [
    { mountPoint: '', type: '', source: '' },
    { mountPoint: '', type: '', source: '' },
  ]);
  t.end();
});

t.test('the running system’s own table', async (t) => {
  t.match(await mountsAt('/proc'), [{ mountPoint: '/proc', type: 'proc' }]);
  t.same(await mountsAt('/nonexistent'), []);
});
