import fc from 'fast-check';
import t from 'tap';
import { DEFAULT_WINDOW, window } from '../../src/controls/window.ts';
import { canonical, refused } from './expectations.ts';

t.test('auto, or tokens from 1 to the largest u32', async (t) => {
  t.equal(DEFAULT_WINDOW, 'auto');
  canonical(t, window, [
    ['auto\n', 'auto'],
    ['1\n', 1],
    ['200000\n', 200_000],
    ['4294967295\n', 4_294_967_295],
  ]);
});

t.test('nothing but exactly one such line', async (t) => {
  const why = 'must be "auto" or a number from 1 to 4294967295';
  refused(t, window, [
    ['', why],
    ['\n', why],
    ['auto', why],
    ['8192', why],
    ['0\n', why],
    ['4294967296\n', why],
    ['99999999999\n', why],
    ['+1\n', why],
    ['-1\n', why],
    ['01\n', why],
    [' 1\n', why],
    ['1 \n', why],
    ['1_000\n', why],
    ['1e3\n', why],
    ['AUTO\n', why],
    ['auto\n\n', why],
    ['auto\nauto\n', why],
    ['1\n2\n', why],
    ['\n1\n', why],
    ['1\r\n', why],
  ]);
});

t.test('every u32 but zero survives', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_294_967_295 }), (n) => window.parse(window.format(n)) === n),
  );
});
