import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { RememberedListing } from '../../../src/core/node/remembered-listing.ts';
import { openStore } from '../../fixture/client.ts';

const files = (...names: string[]) => names.map((name) => ({ name, type: 0o100000 }));
const stat = (path: string) => statSync(path, { bigint: true });

t.test(
  'a listing is made again when the directory or the variant has changed, or has just been changed',
  async (t) => {
    const folder = t.testdir({ a: '' });
    const listing = new RememberedListing();
    let made = 0;
    const get = (variant = '') => listing.get(stat(folder), variant, () => files(`made-${++made}`));
    get();
    get();
    t.equal(made, 2, 'too fresh to be believed');
    while (BigInt(Date.now()) * 1_000_000n - stat(folder).ctimeNs < 150_000_000n) await sleep(20);
    t.strictSame(get(), files('made-3'));
    t.strictSame(get(), files('made-3'));
    t.strictSame(get('another'), files('made-4'));
    utimesSync(folder, 1, 1);
    t.strictSame(get('another'), files('made-5'));
  },
);

t.test('a long one is not kept', (t) => {
  const listing = new RememberedListing();
  const old = { ...stat('/'), ctimeNs: 0n };
  let made = 0;
  const make = () => {
    made++;
    return Array.from({ length: 65 }, () => files('x')[0]!);
  };
  t.equal(listing.get(old, '', make).length, 65);
  listing.get(old, '', make);
  t.equal(made, 2);
  t.end();
});

t.test('controls that come and go are listed at once, also when they do so in the store', async (t) => {
  const { store, client } = openStore(t);
  const list = () =>
    client.list('agent/coder.d').filter((name) => ['approval', 'meta.json', 'tools'].includes(name));
  t.strictSame(list(), ['tools']);
  await sleep(150);
  t.strictSame(list(), ['tools']);
  client.create('agent/coder.d/approval', 'ask\n');
  t.strictSame(list(), ['approval', 'tools']);
  await sleep(150);
  list();
  client.unlink('agent/coder.d/approval');
  t.strictSame(list(), ['tools']);
  await sleep(150);
  list();
  store.write('agent/coder.d/meta.json', '{}\n');
  t.strictSame(list(), ['meta.json', 'tools']);
  t.ok(statSync(join(store.source, 'agent/coder.d/meta.json')).isFile());
});
