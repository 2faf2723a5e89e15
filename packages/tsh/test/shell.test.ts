import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { NotFound, Shell } from '../src/shell.ts';
import { testRoot } from './support/root.ts';

const allow = (...tools: string[]) => tools.map((tool) => `allow coder_t tool:${tool} execute\n`).join('');

t.test('a person sees every executable object in the tool directories, the first of a name', async (t) => {
  const { root, tool, write } = testRoot(t);
  tool('b.two', 'true');
  tool('a.one', 'true');
  write('tool/plain', 'no program', 0o644);
  write('tool/.hidden', '', 0o755);
  write('tool/x.sock', '', 0o755);
  mkdirSync(`${root}/tool/folder`);
  const own = `home/${process.geteuid!()}/tool`;
  write(`${own}/a.one`, '#!/bin/sh\n', 0o755);
  write(`${own}/mine`, '#!/bin/sh\n', 0o755);
  const shell = new Shell({ root, env: {} });
  t.same(shell.commands(), ['a.one', 'b.two', 'mine']);
  t.equal(shell.find('a.one').file, `${root}/tool/a.one`);
});

for (const word of ['/bin/sh', './show', '../tool/show', 'tool/show', '/']) {
  t.test(`${word} is refused: tools are run by name`, async (t) => {
    const { root, tool } = testRoot(t);
    tool('show', 'true');
    t.throws(() => new Shell({ root, env: {} }).find(word), { code: 'EACCES' });
  });
}

for (const word of ['sh', 'ls', '', '.', '..', 'a\nb', 'show.d', 'x'.repeat(65), '-v']) {
  t.test(`${JSON.stringify(word)} is not found, whatever PATH says`, async (t) => {
    const { root, tool } = testRoot(t);
    tool('show', 'true');
    t.throws(() => new Shell({ root, env: { PATH: '/usr/bin:/bin' } }).find(word), {
      message: /command not found$/,
    });
  });
}

t.test('a mistyped name is answered with the nearest visible one', async (t) => {
  const { root, tool } = testRoot(t);
  tool('fs.list', 'true');
  tool('fs.read', 'true');
  const shell = new Shell({ root, env: {} });
  const nearest = (word: string) => {
    try {
      shell.find(word);
    } catch (error) {
      return (error as NotFound).nearest;
    }
    return 'found';
  };
  t.equal(nearest('fs.lsit'), 'fs.list');
  t.equal(nearest('fs.rea'), 'fs.read');
  t.equal(nearest('something'), undefined);
});

t.test('an agent may run what both policies allow, and sees nothing else', async (t) => {
  const { tool, agent, agentEnv } = testRoot(t);
  tool('good', 'true');
  tool('not.granted', 'true');
  tool('closed', 'true', { policy: '' });
  agent('coder', { policy: allow('good', 'closed') });
  const shell = new Shell({ env: agentEnv('coder') });
  t.same(shell.commands(), ['good']);
  t.equal(shell.find('good').object, 'good');
  t.throws(() => shell.find('not.granted'), {
    code: 'EACCES',
    path: 'tool/not.granted',
    message: 'agent policy has no "allow coder_t tool:not.granted execute"',
  });
  t.throws(() => shell.find('closed'), { code: 'EACCES', layer: 'object-policy' });
});

t.test('a hidden tool is not offered as the nearest name', async (t) => {
  const { tool, agent, agentEnv } = testRoot(t);
  tool('secret', 'true');
  agent('coder');
  try {
    new Shell({ env: agentEnv('coder') }).find('secrte');
    t.fail('it was found');
  } catch (error) {
    t.ok(error instanceof NotFound);
    t.equal((error as NotFound).nearest, undefined);
  }
});

t.test('a change of policy counts at the next command', async (t) => {
  const { tool, agent, agentEnv } = testRoot(t);
  tool('good', 'true');
  agent('coder', { policy: allow('good') });
  const shell = new Shell({ env: agentEnv('coder') });
  t.ok(shell.find('good'));
  agent('coder', { policy: '' });
  t.throws(() => shell.find('good'), { code: 'EACCES' });
});

const broken: [string, Record<string, string>][] = [
  ['a policy with a typing error', { policy: `${allow('good')}alow coder_t tool:good execute\n` }],
  ['a policy of an unknown class', { policy: `${allow('good')}allow coder_t thing:good execute\n` }],
  ['a bad label', { label: 'a:b\n' }],
  ['somebody else as owner', { owner: '4242\n', uid: '4242\n' }],
  ['a mount table that hides the tools', { mount: '/x\t/ctx\tro\tnoexec\n' }],
  ['an unreadable mount table', { mount: 'nonsense\n' }],
  ['no uid', { uid: '' }],
];
for (const [what, controls] of broken) {
  t.test(`an agent with ${what} may run nothing`, async (t) => {
    const { tool, agent, agentEnv } = testRoot(t);
    tool('good', 'true');
    agent('coder', { policy: allow('good'), ...controls });
    t.throws(() => new Shell({ env: agentEnv('coder') }).find('good'));
  });
}

t.test('a tool that is not executable for the agent is not there', async (t) => {
  const { root, tool, agent, agentEnv } = testRoot(t);
  tool('good', 'true');
  agent('coder', { policy: allow('good') });
  chmodSync(`${root}/tool/good`, 0o644);
  t.throws(() => new Shell({ env: agentEnv('coder') }).find('good'), { message: /command not found$/ });
});

t.test('an agent cannot choose another root, path or identity', async (t) => {
  const { root, home, tool, agent, agentEnv } = testRoot(t);
  tool('good', 'true');
  agent('coder', { policy: allow('good') });
  t.throws(() => new Shell({ root, env: agentEnv('coder') }), { code: 'EACCES' });
  t.throws(() => new Shell({ env: agentEnv('coder', { CTX_PATH: home }) }).find('good'), { code: 'EACCES' });
  t.throws(() => new Shell({ env: agentEnv('../coder') }), { code: 'EINVAL' });
  t.throws(() => new Shell({ env: agentEnv('nobody') }).find('good'), { code: 'ENOENT' });
  t.throws(() => new Shell({ env: agentEnv('') }), { code: 'EINVAL' });
});

t.test('an alias is decided by the object that it means, and may not lead elsewhere', async (t) => {
  const { root, home, tool, agent, agentEnv } = testRoot(t);
  tool('good', 'true');
  tool('bad', 'true');
  writeFileSync(`${home}/good`, '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('good', `${root}/tool/alias`);
  symlinkSync('bad', `${root}/tool/looks.good`);
  symlinkSync(`${home}/good`, `${root}/tool/outside`);
  agent('coder', { policy: allow('good', 'alias', 'looks.good', 'outside') });
  const shell = new Shell({ env: agentEnv('coder') });
  t.equal(shell.find('alias').object, 'good');
  t.throws(() => shell.find('looks.good'), { code: 'EACCES', message: /tool:bad/ });
  t.throws(() => shell.find('outside'), { code: 'ENOENT', layer: 'mount' });
});

t.test('no mount is one clear error', async (t) => {
  t.throws(() => new Shell({ root: '/nonexistent', env: {} }), { code: 'ENOTCONN', hint: 'ctx mount' });
});
