import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import { ctx, place } from '../../process.ts';

t.test('a bad session name ends the command, also when the agent listens', async (t) => {
  const { env, folder } = place(t);
  const root = `${folder}/root`;
  mkdirSync(`${root}/agent/coder.d`, { recursive: true });
  writeFileSync(`${root}/status`, 'ready\n');
  const server = createServer().listen(`${root}/agent/coder.sock`);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const ended = await ctx(env, ['agent', 'send', 'coder', '--root', root, '--session', '../x', 'hi']);
  t.equal(ended.code, 2);
  t.match(ended.err, /^ctx: EINVAL: "\.\.\/x" is not a valid session name/);
});
