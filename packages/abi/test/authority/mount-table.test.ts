import t from 'tap';
import { HIDDEN, mountFactsAt } from '../../src/authority/mount-table.ts';
import { mount } from '../../src/controls/mount.ts';

const table = mount.parse(
  [
    '/ctx\t/ctx\tro\trbind,nosuid,nodev',
    '/s\t/ctx/shared/a\trw\tnoexec',
    '/home/me/p\t/workspace\trw\t-',
    '/home/me/p/.git\t/workspace/.git\tro\t-',
  ].join('\n'),
);

t.test('the longest target at or above the path decides', async (t) => {
  const at = (path: string) => mountFactsAt(table, path);
  t.same(at('/ctx/tool/fs.read'), { visible: true, writable: false, noexec: false });
  t.same(at('/ctx'), { visible: true, writable: false, noexec: false });
  t.same(at('/ctx/shared/a/x'), { visible: true, writable: true, noexec: true });
  t.same(at('/ctx/shared/ab'), { visible: true, writable: false, noexec: false });
  t.same(at('/workspace/src'), { visible: true, writable: true, noexec: false });
  t.same(at('/workspace/.git/hooks/x'), { visible: true, writable: false, noexec: false });
  t.same(at('/workspace/.github'), { visible: true, writable: true, noexec: false });
});

t.test('what is under no mount is hidden', async (t) => {
  for (const path of ['/', '/etc/passwd', '/ctxx', '/work', '/workspac'])
    t.equal(mountFactsAt(table, path), HIDDEN, path);
  t.equal(mountFactsAt([], '/ctx'), HIDDEN);
});

t.test('a mount at / shows everything, and a nearer one still wins', async (t) => {
  const root = mount.parse('/r\t/\tro\t-\n/t\t/tmp\trw\tnoexec\n');
  t.same(mountFactsAt(root, '/etc/passwd'), { visible: true, writable: false, noexec: false });
  t.same(mountFactsAt(root, '/'), { visible: true, writable: false, noexec: false });
  t.same(mountFactsAt(root, '/tmp/x'), { visible: true, writable: true, noexec: true });
});

t.test('of two entries with one target the later lies on top', async (t) => {
  const entry = { source: '/a', target: '/x', options: [] } as const;
  t.equal(
    mountFactsAt(
      [
        { ...entry, mode: 'rw' },
        { ...entry, mode: 'ro' },
      ],
      '/x/y',
    ).writable,
    false,
  );
});
