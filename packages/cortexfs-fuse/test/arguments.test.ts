import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { parseArguments } from '../src/arguments.ts';
import { exitCodeFor } from '../src/mount/exit-code.ts';

const whole = ['--source', '/s', '--mount', '/m', '--runtime', '/r', '--runner', '/usr/bin/runner'];

t.test('a whole command line', async (t) => {
  t.strictSame(parseArguments(whole), {
    source: '/s',
    root: '/m',
    runtime: '/r',
    runner: '/usr/bin/runner',
    transport: 'kernel',
    allowOther: false,
    foreground: false,
  });
  t.match(
    parseArguments([
      ...whole,
      '--allow-other',
      '--foreground',
      '--transport=fuse-native',
      '--mount',
      '/x/../y/',
    ]),
    {
      allowOther: true,
      foreground: true,
      transport: 'fuse-native',
      root: '/y',
    },
  );
});

t.test('what is wrong is named', async (t) => {
  for (const missing of ['source', 'mount', 'runtime', 'runner']) {
    const at = whole.indexOf(`--${missing}`);
    const args = [...whole.slice(0, at), ...whole.slice(at + 2)];
    t.throws(() => parseArguments(args), { code: 'EINVAL', message: `--${missing} is missing` });
  }
  t.throws(() => parseArguments([...whole, 'stray']), { code: 'EINVAL', message: /stray/ });
  t.throws(() => parseArguments([...whole, '--runner', `/${'x'.repeat(300)}`]), { code: 'ENAMETOOLONG' });
});

t.test('no command line throws anything but a CortexError', async () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(...whole, '--allow-other', '--transport', '--', '--source='),
  );
  fc.assert(
    fc.property(fc.array(word), (args) => {
      try {
        parseArguments(args);
        return true;
      } catch (error) {
        return error instanceof CortexError;
      }
    }),
  );
});

t.test('exit codes tell a missing FUSE from a bad directory and a refusal', async (t) => {
  const code = (
    errno: 'ENOENT' | 'ENXIO' | 'EACCES' | 'ENOTDIR' | 'ENOTEMPTY' | 'EBUSY' | 'EIO' | 'ENOTSUP',
    path: string,
  ) => exitCodeFor(new CortexError(errno, 'why', { path }));
  t.equal(code('ENOENT', '/dev/fuse'), 69);
  t.equal(code('ENXIO', '/dev/fuse'), 69);
  t.equal(code('EACCES', '/dev/fuse'), 13);
  t.equal(code('ENOENT', 'fusermount3'), 69);
  t.equal(code('ENOENT', '/mnt'), 2);
  t.equal(code('ENOTDIR', '/mnt'), 2);
  t.equal(code('ENOTEMPTY', '/mnt'), 2);
  t.equal(code('EBUSY', '/mnt'), 1);
  t.equal(code('EIO', '/mnt'), 70);
  t.equal(code('ENOTSUP', '/mnt'), 69);
});
