import fc from 'fast-check';
import t from 'tap';
import { gid } from '../../src/controls/gid.ts';
import { groups } from '../../src/controls/groups.ts';
import { owner } from '../../src/controls/owner.ts';
import { pid } from '../../src/controls/pid.ts';
import { uid } from '../../src/controls/uid.ts';
import { canonical, refused } from './expectations.ts';

for (const [name, codec] of Object.entries({ owner, uid, gid })) {
  t.test(`${name}: one decimal id`, async (t) => {
    canonical(t, codec, [
      ['0\n', 0],
      ['1000\n', 1000],
      ['4294967294\n', 4_294_967_294],
    ]);
    t.equal(codec.parse('1000'), 1000, 'without the final newline');
    refused(t, codec, [
      ['4294967295\n', `${name} must be a decimal number from 0 to 4294967294, got "4294967295"`],
      ['01\n', 'decimal number'],
      ['+1\n', 'decimal number'],
      ['-1\n', 'decimal number'],
      ['1.0\n', 'decimal number'],
      ['1e3\n', 'decimal number'],
      ['0x10\n', 'decimal number'],
      ['root\n', 'decimal number'],
      ['١\n', 'decimal number'],
      [' 1\n', 'blanks'],
      ['1 2\n', 'decimal number'],
      ['1\n2\n', 'one line'],
      ['', 'is empty'],
      ['99999999999999999999\n', 'decimal number'],
    ]);
  });
}

t.test('groups: one gid a line, none is an empty file', async (t) => {
  canonical(t, groups, [
    ['', []],
    ['27\n', [27]],
    ['27\n100\n4294967294\n', [27, 100, 4_294_967_294]],
  ]);
  t.same(groups.parse('27\n100'), [27, 100]);
  refused(t, groups, [
    ['27\n27\n', 'repeats "27"', 2],
    ['27\n\n100\n', 'is blank', 2],
    ['\n', 'is blank', 1],
    ['27\n 100\n', 'blanks around', 2],
    ['27 100\n', 'decimal number', 1],
    ['27\nusers\n', 'got "users"', 2],
    ['27\n4294967295\n', 'from 0 to 4294967294', 2],
  ]);
});

t.test('pid: a process id, or empty when nothing runs', async (t) => {
  canonical(t, pid, [
    ['', null],
    ['1\n', 1],
    ['4194304\n', 4_194_304],
  ]);
  refused(t, pid, [
    ['0\n', 'from 1 to 4194304'],
    ['4194305\n', 'from 1 to 4194304'],
    ['-1\n', 'decimal number'],
    ['\n', 'is empty'],
  ]);
});

t.test('every list of different gids survives', async () => {
  const gids = fc.uniqueArray(fc.integer({ min: 0, max: 4_294_967_294 }));
  fc.assert(
    fc.property(
      gids,
      (value) => JSON.stringify(groups.parse(groups.format(value))) === JSON.stringify(value),
    ),
  );
});
