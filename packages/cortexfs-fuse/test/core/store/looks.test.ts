import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Store } from '../../../src/core/store/store.ts';

t.test('a request that only looks sees a name once; others and the next see what is there', async (t) => {
  const source = t.testdir({ file: 'one' });
  const store = new Store(source);
  t.teardown(() => store.close());
  const size = () => store.find(store.root, 'file')?.size;

  store.startRequest(true);
  t.equal(size(), 3n);
  t.equal(store.find(store.root, 'absent'), undefined);
  writeFileSync(join(source, 'file'), 'longer');
  writeFileSync(join(source, 'absent'), '');
  t.equal(size(), 3n);
  t.equal(store.find(store.root, 'absent'), undefined);

  store.startRequest(true);
  t.equal(size(), 6n);
  store.startRequest(false);
  rmSync(join(source, 'file'));
  t.equal(size(), undefined);
  writeFileSync(join(source, 'file'), '');
  t.equal(size(), 0n);
});

t.test('what is beyond the first names of a request is looked at each time', async (t) => {
  const source = t.testdir({});
  const store = new Store(source);
  t.teardown(() => store.close());
  store.startRequest(true);
  for (let i = 0; i < 40; i++) t.equal(store.find(store.root, `name-${i}`), undefined);
  writeFileSync(join(source, 'name-39'), '');
  t.ok(store.find(store.root, 'name-39'));
});
