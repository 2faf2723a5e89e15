import fc from 'fast-check';
import t from 'tap';
import { abiPath } from '../../src/place/abi-path.ts';

t.test('all spellings of a path name the same file', async (t) => {
  for (const typed of [
    'agent/coder.d/model',
    '/ctx/agent/coder.d/model',
    '/run/x/ctx/agent/coder.d/model',
    './agent//coder.d/./model/',
  ]) {
    t.equal(abiPath('/run/x/ctx', typed), 'agent/coder.d/model', typed);
  }
  for (const typed of ['', '.', '/', '/ctx', '/run/x/ctx/']) t.equal(abiPath('/run/x/ctx', typed), '', typed);
});

t.test('a path that leaves the root is EINVAL', async (t) => {
  for (const typed of ['..', '../x', 'agent/../../x', '/ctx/../etc/passwd']) {
    t.throws(() => abiPath('/root', typed), { code: 'EINVAL' }, typed);
  }
});

t.test('no path contains a parent step', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '..', '.', '')), (parts) => {
      try {
        return !abiPath('/root', parts.join('/')).split('/').includes('..');
      } catch {
        return true;
      }
    }),
  );
});
