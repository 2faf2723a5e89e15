import t from 'tap';
import { abi } from '../../src/controls/abi.ts';
import { approval } from '../../src/controls/approval.ts';
import { iso } from '../../src/controls/iso.ts';
import { life } from '../../src/controls/life.ts';
import { objectStatus } from '../../src/controls/object-status.ts';
import { status } from '../../src/controls/status.ts';
import { canonical, refused } from './expectations.ts';

t.test('each word of each control', async (t) => {
  canonical(t, iso, [
    ['shared\n', 'shared'],
    ['uid\n', 'uid'],
    ['userns\n', 'userns'],
  ]);
  canonical(t, life, [
    ['owned\n', 'owned'],
    ['temp\n', 'temp'],
  ]);
  canonical(t, approval, [
    ['auto\n', 'auto'],
    ['ask\n', 'ask'],
  ]);
  canonical(t, abi, [['sdk-envelope-v1\n', 'sdk-envelope-v1']]);
  for (const word of ['start', 'ready', 'busy', 'idle', 'stopping', 'dead'] as const) {
    canonical(t, status, [[`${word}\n`, word]]);
  }
  canonical(t, objectStatus, [
    ['ready\n', 'ready'],
    ['unavailable\n', 'unavailable'],
  ]);
});

t.test('a final newline may be missing where the control is not canonical only', async (t) => {
  t.equal(iso.parse('uid'), 'uid');
  t.equal(life.parse('temp'), 'temp');
  refused(t, approval, [['ask', 'must end with a newline']]);
  refused(t, abi, [['sdk-envelope-v1', 'must end with a newline']]);
});

t.test('other words, blanks, empty text and more lines are refused', async (t) => {
  refused(t, iso, [
    ['', 'is empty'],
    ['\n', 'is empty'],
    ['none\n', 'must be shared, uid or userns, got "none"'],
    ['Shared\n', 'must be shared'],
    [' shared\n', 'blanks around the value'],
    ['shared \n', 'blanks around the value'],
    ['shared\n\n', 'one line'],
    ['shared\nuid\n', 'one line'],
    ['shared\r\n', 'control character', 1],
  ]);
  refused(t, abi, [
    ['sdk-envelope-v2\n', 'must be sdk-envelope-v1, got "sdk-envelope-v2"'],
    ['SDK-envelope-v1\n', 'must be sdk-envelope-v1'],
    ['\n', 'is empty'],
    ['', 'newline'],
  ]);
  refused(t, approval, [
    ['allow_once\n', 'must be auto or ask'],
    ['auto\n\n', 'one line'],
    ['auto \n', 'blanks'],
  ]);
});

t.test('a hostile word is shown escaped and cut', async (t) => {
  refused(t, iso, [[`${'x'.repeat(100)}\n`, `got "${'x'.repeat(60)}…"`]]);
  refused(t, iso, [['\u202eshared\n', 'must be shared']]);
  refused(t, iso, [['\x1b[2J\n', '\\u001b', 1]]);
});
