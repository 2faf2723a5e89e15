import t from 'tap';
import { ctx, place } from '../process.ts';

t.test('--version and --help answer without a store', async (t) => {
  const { env } = place(t);
  t.same(await ctx(env, ['--version']), { code: 0, out: 'ctx 0.1.7\n', err: '' });
  const help = await ctx(env, ['--help']);
  t.equal(help.code, 0);
  t.match(help.out, /^Usage: ctx/);
});

t.test('an unknown command is exit 2 with a hint', async (t) => {
  const { env } = place(t);
  const single = await ctx(env, ['frobnicate']);
  t.equal(single.code, 2);
  t.match(single.err, /^ctx: EINVAL: frobnicate: no such command\nhint: ctx --help/);
  const grouped = await ctx(env, ['agent', 'frobnicate']);
  t.match(grouped.err, /hint: one of: agent start, /);
});

t.test('a group of commands has a help of its own', async (t) => {
  const { env } = place(t);
  const { code, out, err } = await ctx(env, ['agent', '--help']);
  t.strictSame([code, err], [0, '']);
  t.match(out, /^Usage: ctx agent COMMAND[\s\S]*^ {2}agent start +start an agent/m);
  t.notMatch(out, /bootstrap/);
});

t.test('errors are JSON with --json', async (t) => {
  const { env } = place(t);
  const { code, err } = await ctx(env, ['cat', 'agent/x', '--json']);
  t.equal(code, 69);
  t.match(JSON.parse(err), { error: { code: 'ENOTCONN', layer: 'mount', hint: 'ctx mount', exit_code: 69 } });
});

t.test('without a mount every command that needs one says so and exits 69', async (t) => {
  const { env } = place(t);
  for (const args of [
    ['ls'],
    ['cat', 'status'],
    ['set', 'agent/coder.d/model', 'main'],
    ['agent', 'send', 'coder', 'x'],
    ['agent', 'watch', 'coder'],
  ]) {
    const { code, err } = await ctx(env, args);
    t.equal(code, 69, args.join(' '));
    t.match(err, /not mounted here\nhint: ctx mount\n$/, args.join(' '));
  }
});

t.test('a bad CTX_ROOT and a bad agent name are exit 2', async (t) => {
  const { env } = place(t);
  t.equal((await ctx({ ...env, CTX_ROOT: 'relative' }, ['root'])).code, 2);
  t.equal((await ctx(env, ['agent', 'send', '../x', 'hi'])).code, 2);
});

t.test('common options may stand before the command', async (t) => {
  const { env, folder } = place(t);
  t.match(await ctx(env, ['--root', `${folder}/x`, 'root']), { code: 0, out: `${folder}/x\n` });
  t.match(await ctx(env, ['--json', '--root=/y', 'root']), { code: 0, out: '{"root":"/y"}\n' });
  t.match((await ctx(env, ['--root', `${folder}/x`, 'agent', 'send', 'coder', 'hi'])).err, `${folder}/x`);
});
