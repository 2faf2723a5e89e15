import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import t from 'tap';
import { ctx, place } from '../process.ts';

t.test('the first bootstrap writes the reference tree, the second finds it complete', async (t) => {
  const { env, store } = place(t);
  const first = await ctx(env, ['bootstrap']);
  t.equal(first.code, 0);
  t.match(first.out, /^wrote +agent\/coder\.d\/policy$/m);
  t.equal(readFileSync(`${store}/agent/coder.d/owner`, 'utf8'), `${process.getuid!()}\n`);
  t.equal(readlinkSync(`${store}/model/main`), 'debug/script');
  t.equal(lstatSync(`${store}/tool/fs.read`).mode & 0o777, 0o755);
  t.equal(lstatSync(`${store}/home/${process.getuid!()}`).mode & 0o777, 0o700);
  const second = await ctx(env, ['bootstrap', '--quiet']);
  t.same(second, { code: 0, out: `already complete: ${store}\n`, err: '' });
});

t.test('a dry run writes nothing', async (t) => {
  const { env, store } = place(t);
  const { out } = await ctx(env, ['bootstrap', '--dry-run']);
  t.match(out, /^would_write +tool\/fs\.list\.d\/schema$/m);
  t.equal(lstatSync(store, { throwIfNoEntry: false }), undefined);
});

t.test('what a person changed stays, what is missing comes back', async (t) => {
  const { env, store } = place(t);
  await ctx(env, ['bootstrap']);
  writeFileSync(`${store}/agent/coder.d/system.md`, 'mine\n');
  rmSync(`${store}/tool/fs.stat`);
  const { out } = await ctx(env, ['bootstrap']);
  t.equal(readFileSync(`${store}/agent/coder.d/system.md`, 'utf8'), 'mine\n');
  t.match(out, /^exists +agent\/coder\.d\/system\.md$/m);
  t.match(out, /^wrote +tool\/fs\.stat$/m);
  t.match(out, /^1 written: /m);
});

t.test('a legacy base agent is reported and not touched', async (t) => {
  const { env, store } = place(t);
  mkdirSync(`${store}/agent/base.d`, { recursive: true });
  const { out } = await ctx(env, ['bootstrap']);
  t.match(out, /^would_skip +agent\/base \(.*by hand\)$/m);
  t.ok(lstatSync(`${store}/agent/base.d`).isDirectory());
});

t.test('something of another kind in the way is refused, and a link is not followed', async (t) => {
  const { env, folder, store } = place(t);
  mkdirSync(store, { recursive: true });
  mkdirSync(`${folder}/elsewhere`);
  symlinkSync(`${folder}/elsewhere`, `${store}/agent`);
  const { code, err } = await ctx(env, ['bootstrap']);
  t.equal(code, 1);
  t.match(err, /^ctx: EEXIST: agent: a link stands where a directory belongs\nhint: /);
});

t.test('modes do not depend on the umask', async (t) => {
  const { env, store } = place(t);
  const before = process.umask(0o077);
  await ctx(env, ['bootstrap']);
  process.umask(before);
  t.equal(lstatSync(`${store}/agent/coder.d`).mode & 0o777, 0o755);
  t.equal(lstatSync(`${store}/agent/coder.d/policy`).mode & 0o777, 0o644);
  chmodSync(store, 0o700);
});
