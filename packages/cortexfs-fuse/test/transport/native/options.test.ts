import t from 'tap';
import { libfuseOptions, requirePossible } from '../../../src/transport/native/options.ts';

const options = { root: '/r', source: '/store', allowOther: false };

t.test('time-outs are 0 in words that libfuse hears, and the kernel checks the modes', async (t) => {
  const words = libfuseOptions(options).slice(2).split(',');
  for (const word of ['entry_timeout=0', 'attr_timeout=0', 'negative_timeout=0', 'default_permissions'])
    t.ok(words.includes(word), word);
  t.ok(words.includes('fsname=/store'));
});

t.test('a source never adds an option', async (t) => {
  const said = libfuseOptions({ ...options, source: '/a,allow_other,fsname=x' });
  t.notMatch(said, /allow_other/);
  t.match(said, /fsname=cortexfs,/);
});

t.test('several users and overlong roots are refused', async (t) => {
  t.throws(() => requirePossible({ ...options, allowOther: true }), { code: 'ENOTSUP' });
  t.throws(() => requirePossible({ ...options, root: `/${'r'.repeat(1023)}` }), { code: 'ENAMETOOLONG' });
  t.doesNotThrow(() => requirePossible({ ...options, root: `/${'r'.repeat(1022)}` }));
});
