import { constants } from 'node:os';
import t from 'tap';
import { ERRNO, type ErrnoName, exitCodeOf, isErrnoName } from '../src/errno.ts';

const names = Object.keys(ERRNO) as ErrnoName[];

t.test('the numbers are those of this Linux', async (t) => {
  const system = constants.errno as Record<string, number>;
  for (const name of names) {
    if (system[name] !== undefined) t.equal(ERRNO[name], system[name], name);
  }
  t.equal(ERRNO.EHOSTDOWN, 112, 'which Node does not list');
});

t.test('every name has one of the six exit codes, never 0', async (t) => {
  for (const name of names)
    t.ok([1, 2, 13, 69, 70].includes(exitCodeOf(name)), `${name} -> ${exitCodeOf(name)}`);
});

t.test('exit codes follow the kind of fault', async (t) => {
  const expected: [number, ErrnoName[]][] = [
    [1, ['ENOENT', 'EEXIST', 'EBUSY', 'EALREADY', 'ENOTEMPTY', 'ECANCELED', 'ENOTSUP']],
    [2, ['EINVAL', 'EMSGSIZE', 'ENAMETOOLONG', 'EILSEQ']],
    [13, ['EACCES', 'EPERM', 'EROFS']],
    [69, ['EHOSTDOWN', 'ECONNREFUSED', 'ENOTCONN', 'ETIMEDOUT', 'EAGAIN']],
    [70, ['EIO', 'EPROTO', 'ENOSPC']],
  ];
  for (const [exit, codes] of expected) for (const code of codes) t.equal(exitCodeOf(code), exit, code);
});

t.test('only errno names are errno names', async (t) => {
  t.ok(isErrnoName('EACCES'));
  for (const other of ['eacces', '', 'toString', '__proto__', 13, null, undefined])
    t.notOk(isErrnoName(other));
});
