import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { policy } from '@cortexfs/abi/controls/policy';
import { window } from '@cortexfs/abi/controls/window';
import { CortexError } from '@cortexfs/abi/errors';
import t, { type Test } from 'tap';
import { ControlReader } from '../../../src/core/controls/reader.ts';
import { Places } from '../../../src/core/store/places.ts';
import { Store } from '../../../src/core/store/store.ts';
import { makeStore } from '../../fixture/store.ts';

const D = 'agent/coder.d';

t.test('a parsed control is kept as long as its file is the same', async (t) => {
  const { source, controls, next } = reader(t);
  const first = controls.load(D, 'policy', policy);
  next();
  t.equal(controls.load(D, 'policy', policy), first, 'the very same value');
  appendFileSync(join(source, D, 'policy'), 'allow coder_t tool:fs.list execute\n');
  next();
  const second = controls.load(D, 'policy', policy);
  t.not(second, first);
  t.ok(!(second instanceof CortexError) && second.rules.length === 4);
});

t.test('what cannot be read is an error that says why, or a default', async (t) => {
  const { source, controls } = reader(t);
  writeFileSync(join(source, D, 'window'), '0\n');
  t.match(controls.load(D, 'window', window), { code: 'EINVAL', path: `${D}/window` });
  t.match(controls.load(D, 'nosuch', window), { code: 'ENOENT' });
  t.match(controls.load('agent/nobody.d', 'window', window), { code: 'ENOENT' });
  for (const outside of ['../store/agent/coder.d', './agent/coder.d', 'agent//coder.d', '/agent/coder.d', ''])
    t.match(controls.load(outside, 'window', window), { code: 'ENOENT' }, outside);
  t.equal(controls.loadOr(D, 'window', window, 'auto'), 'auto');
  writeFileSync(join(source, D, 'policy'), Buffer.from([0x61, 0xff]));
  t.match(controls.load(D, 'policy', policy), { code: 'EINVAL', message: 'not valid UTF-8' });
  writeFileSync(join(source, D, 'policy'), 'x'.repeat(65_537));
  t.match(controls.load(D, 'policy', policy), { code: 'EMSGSIZE' });
  rmSync(join(source, D, 'policy'));
  mkdirSync(join(source, D, 'policy'));
  t.match(controls.load(D, 'policy', policy), { code: 'EACCES' });
});

t.test('a replaced directory is noticed by the next request', async (t) => {
  const { source, controls, next } = reader(t);
  t.equal(controls.loadOr(D, 'window', window, 7), 'auto');
  renameSync(join(source, D), join(source, 'agent/old.d'));
  mkdirSync(join(source, D));
  writeFileSync(join(source, D, 'window'), '42\n');
  next();
  t.equal(controls.loadOr(D, 'window', window, 7), 42);
});

function reader(t: Test) {
  const made = makeStore();
  const store = new Store(made.source);
  const places = new Places(store);
  t.teardown(() => {
    store.close();
    made.remove();
  });
  return {
    source: made.source,
    controls: new ControlReader(store, places),
    next: () => places.startRequest(),
  };
}
