import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TestHost } from './host.ts';

t.test('every layer refuses a call by its name, and the run goes on', async (t) => {
  const host = await TestHost.start(t);
  const client = await host.client();
  t.teardown(() => client.close());
  let count = 0;
  const call = async (tool: string) => {
    const id = `call${count++}`;
    const frames = await client.send({ op: 'send', id, session: 'default', input: `call ${tool}` }).run(id);
    t.match(frames.at(-1), { status: 'ok' }, `${tool}: the run itself went on`);
    return frames.find(({ type }) => type === 'tool_result');
  };
  const ran = () =>
    existsSync(join(host.site.workspace, 'ran'))
      ? readFileSync(join(host.site.workspace, 'ran'), 'utf8')
      : '';

  t.match(await call('tsh'), { status: 'ok' }, 'tsh needs no declaration');
  t.match(await call('fs.read'), { status: 'ok' });
  const before = ran();

  await t.test('refusals', async (t) => {
    const cases: [tool: string, content: RegExp][] = [
      ['undeclared', /^ENOENT: tool\/undeclared: /],
      ['missing', /^ENOENT: tool\/missing: no such object/],
      ['hidden', /^EACCES: tool\/hidden: agent policy has no "allow coder_t tool:hidden execute"/],
    ];
    for (const [tool, content] of cases) t.match(await call(tool), { status: 'error', content });
    t.equal(ran(), before, 'none of them ran');
  });

  await t.test('an edit takes effect at the next call', async (t) => {
    const { site } = host;
    site.write('store/agent/coder.d/tools', 'big\n');
    t.match(await call('fs.read'), { content: /^EACCES: tool\/fs.read: .*not declared/ });
    site.write('store/agent/coder.d/tools', 'fs.read\n');
    site.write('store/tool/fs.read.d/policy', 'allow other_t tool:fs.read execute\n');
    t.match(await call('fs.read'), { content: /^EACCES: tool\/fs.read: tool policy has no "allow coder_t/ });
    site.write('store/tool/fs.read.d/policy', 'allow coder_t tool:fs.read execute\nalow typo\n');
    t.match(await call('fs.read'), { content: /^EACCES: tool\/fs.read: tool policy is unusable: line 2/ });
    site.write('store/tool/fs.read.d/policy', 'allow coder_t tool:fs.read execute\n');
    site.write('store/agent/coder.d/path', '/ctx/home/0/tool\n');
    t.match(await call('fs.read'), { content: /^ENOENT: / });
    site.write('store/agent/coder.d/path', '/ctx/tool\n');
    site.write('store/agent/coder.d/mount', '/ctx\t/ctx\tro\trbind,noexec\n');
    t.match(await call('fs.read'), { content: /^EACCES: tool\/fs.read: its mount is noexec/ });
    site.write('store/agent/coder.d/mount', '');
    t.equal(ran(), before, 'none of them ran');
    t.match(await call('fs.read'), { status: 'ok' }, 'and it works again');
  });

  await t.test('a link in place of the executable is not followed', async (t) => {
    const path = join(host.site.store, 'tool/fs.read');
    rmSync(path);
    symlinkSync('/bin/true', path);
    t.match(await call('fs.read'), { status: 'error', content: /^ELOOP: / });
  });
});

t.test('what a tool does wrong is a result, not the end of the run', async (t) => {
  const host = await TestHost.start(t);
  const client = await host.client();
  t.teardown(() => client.close());
  const cases: [tool: string, result: object][] = [
    ['big', { status: 'ok', truncated: true }],
    ['broken', { status: 'error', content: /^EINVAL|^EPROTO/ }],
    ['failing', { status: 'error', code: 'ENOENT', content: 'ENOENT: no such file', truncated: false }],
    ['crashing', { status: 'error', content: /^EACCES: .*exited with code 13: view refused it/ }],
  ];
  for (const [tool, result] of cases) {
    const frames = await client
      .send({ op: 'send', id: tool, session: 'default', input: `call ${tool}` })
      .run(tool);
    t.match(
      frames.find(({ type }) => type === 'tool_result'),
      result,
      tool,
    );
    t.match(frames.at(-1), { status: 'ok' });
  }
  const [big] = host.records('events.jsonl').filter(({ type }) => type === 'tool_result');
  t.equal(Buffer.byteLength(String(big!['content'])), 16 * 1024, 'normalised to 16 KiB');
});
