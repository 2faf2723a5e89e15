import fc from 'fast-check';
import t from 'tap';
import { type MountEntry, type MountOption, mount } from '../../src/controls/mount.ts';
import { canonical, refused } from './expectations.ts';

t.test('source, target, mode and options with TABs between them', async (t) => {
  canonical(t, mount, [
    ['', []],
    [
      '/ctx\t/ctx\tro\trbind,nosuid,nodev\n/home/me/my project\t/work\trw\t-\n',
      [
        { source: '/ctx', target: '/ctx', mode: 'ro', options: ['rbind', 'nosuid', 'nodev'] },
        { source: '/home/me/my project', target: '/work', mode: 'rw', options: [] },
      ],
    ],
    ['/a\t/b\tro\tnoexec,bind\n', [{ source: '/a', target: '/b', mode: 'ro', options: ['noexec', 'bind'] }]],
  ]);
  t.equal(mount.parse('/a\t/b\tro\t-').length, 1, 'without the final newline');
});

t.test('every rule of a line, with its line number', async (t) => {
  const good = '/ctx\t/ctx\tro\t-\n';
  refused(t, mount, [
    [`${good}/a\t/b\tro\n`, 'must have 4 fields', 2],
    [`${good}/a\t/b\tro\t-\tx\n`, 'has 5', 2],
    [`${good}/a /b ro -\n`, 'has 1', 2],
    [`${good}\n`, 'must have 4 fields', 2],
    ['# comment\n', 'must have 4 fields', 1],
    ['a\t/b\tro\t-\n', 'source must be an absolute path', 1],
    ['/a\tb\tro\t-\n', 'target must be an absolute path', 1],
    ['\t/b\tro\t-\n', 'source must be an absolute path', 1],
    ['/a/../b\t/b\tro\t-\n', 'source must have no ".."', 1],
    ['/a\t/b/../..\tro\t-\n', 'target must have no ".."', 1],
    ['/a\t/b\tr\t-\n', 'must be ro or rw, got "r"', 1],
    ['/a\t/b\tRO\t-\n', 'must be ro or rw', 1],
    ['/a\t/b\t\t-\n', 'must be ro or rw', 1],
    ['/a\t/b\tro\t\n', 'unknown option ""', 1],
    ['/a\t/b\tro\tnosuid,\n', 'unknown option ""', 1],
    ['/a\t/b\tro\t-,nosuid\n', 'unknown option "-"', 1],
    ['/a\t/b\tro\tnosuid,-\n', 'unknown option "-"', 1],
    ['/a\t/b\tro\tnosuid, nodev\n', 'unknown option " nodev"', 1],
    ['/a\t/b\tro\tsuid\n', 'unknown option "suid"', 1],
    ['/a\t/b\tro\tnodev,nodev\n', 'repeats the option "nodev"', 1],
    ['/a\t/b\tro\tbind,rbind\n', 'both "bind" and "rbind"', 1],
    ['/a\t/b\tro\trbind,bind\n', 'both "bind" and "rbind"', 1],
    [`${good}/x\t/ctx\trw\t-\n`, 'mounts "/ctx" a second time', 2],
    ['/a\r\t/b\tro\t-\n', 'control character', 1],
  ]);
});

t.test('the refusal of a wrong field count says how to write the line', async (t) => {
  t.throws(() => mount.parse('/a /b ro -\n'), {
    message: 'must have 4 fields with one TAB between them, has 1',
    hint: 'write source<TAB>target<TAB>ro|rw<TAB>options, with - for no options',
  });
});

const path = fc
  .array(fc.stringMatching(/^[a-z0-9 _-]{0,6}[a-z]$/), { maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);
const options: fc.Arbitrary<MountOption[]> = fc
  .shuffledSubarray<MountOption>(['bind', 'rbind', 'nosuid', 'nodev', 'noexec'])
  .filter((list) => !(list.includes('bind') && list.includes('rbind')));
const entry: fc.Arbitrary<MountEntry> = fc.record({
  source: path,
  target: path,
  mode: fc.constantFrom('ro', 'rw'),
  options,
});

t.test('every table survives', async (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ target }) => target }), (table) => {
      t.matchOnlyStrict(mount.parse(mount.format(table)), table);
    }),
    { numRuns: 50 },
  );
});
