import fc from 'fast-check';
import t from 'tap';
import { nearestName } from '../../src/tool/nearest.ts';

const names = ['fs.list', 'fs.read', 'fs.stat', 'shell.exec', 'bash'];

t.test('slips of one or two keys are understood', async (t) => {
  t.equal(nearestName('fs.lst', names), 'fs.list');
  t.equal(nearestName('sf.stat', names), 'fs.stat');
  t.equal(nearestName('bahs', names), 'bash');
  t.equal(nearestName('shell', names), 'shell.exec');
});

t.test('what resembles nothing has no answer', async (t) => {
  t.equal(nearestName('zzzzzzzz', names), undefined);
  t.equal(nearestName('', names), undefined);
  t.equal(nearestName('x', []), undefined);
});

t.test('a known name is nearest to itself, whatever else there is', async (t) => {
  t.equal(nearestName('fs', ['f', 'fs']), 'fs', 'one key less is as near as a beginning');
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), (known, n) => {
      const name = known[n % known.length]!;
      return nearestName(name, known) === name;
    }),
  );
});
