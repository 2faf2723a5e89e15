import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { readXattr } from '../src/xattr.ts';

t.test('an attribute that is not there is undefined, a file that is not there is an error', async (t) => {
  const dir = mkdtempSync('/tmp/ctx-xattr-');
  t.teardown(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(`${dir}/file`, '');
  t.equal(readXattr(`${dir}/file`, 'user.none'), undefined);
  t.equal(readXattr(`/proc/self/status`, 'user.none'), undefined, 'nor where there are none at all');
  t.throws(() => readXattr(`${dir}/missing`, 'user.none'), { code: 'ENOENT' });
});
