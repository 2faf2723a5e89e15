import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findPeerBin } from '../src/peer-bin.ts';

const layout = (...peers: string[]) => {
  const folder = (name: string) => ({
    'package.json': '{}',
    dist: { [`${name}.js`]: '', 'chunk.js': '' },
    src: {},
  });
  return Object.fromEntries(['ctx-cli', ...peers].map((name) => [name, folder(name)]));
};

t.test('finds the peer beside the package that asks', (t) => {
  const dir = t.testdir({ '@cortexfs': layout('agent-host') });
  const from = join(dir, '@cortexfs/ctx-cli/dist/chunk.js');
  t.equal(findPeerBin('agent-host', from), join(dir, '@cortexfs/agent-host/dist/agent-host.js'));
  t.equal(findPeerBin('ctx-cli', from), join(dir, '@cortexfs/ctx-cli/dist/ctx-cli.js'));
  t.end();
});

t.test('a package.json in dist, which tells the module type, does not make dist a package', (t) => {
  const dir = t.testdir({ lib: layout('tsh') });
  writeFileSync(join(dir, 'lib/ctx-cli/dist/package.json'), '{"type":"commonjs"}');
  t.equal(findPeerBin('tsh', join(dir, 'lib/ctx-cli/dist/chunk.js')), join(dir, 'lib/tsh/dist/tsh.js'));
  t.end();
});

t.test('starts from the real place of a linked bin', (t) => {
  const dir = t.testdir({
    lib: layout('tsh'),
    bin: { ctx: t.fixture('symlink', '../lib/ctx-cli/dist/ctx-cli.js') },
  });
  t.equal(findPeerBin('tsh', join(dir, 'bin/ctx')), join(dir, 'lib/tsh/dist/tsh.js'));
  t.end();
});

t.test('a missing peer names what to install, wherever else one may lie', (t) => {
  const dir = t.testdir({ lib: layout(), tsh: { dist: { 'tsh.js': '' } } });
  const cwd = process.cwd();
  const path = process.env.PATH;
  process.chdir(join(dir, 'tsh'));
  process.env.PATH = join(dir, 'tsh/dist');
  t.teardown(() => {
    process.chdir(cwd);
    process.env.PATH = path;
  });
  t.throws(() => findPeerBin('tsh', join(dir, 'lib/ctx-cli/dist/chunk.js')), {
    code: 'ENOENT',
    hint: 'npm i -g @cortexfs/tsh',
  });
  t.end();
});

t.test('a folder in place of the file is no bin', (t) => {
  const dir = t.testdir({ 'ctx-cli': { 'package.json': '{}', dist: {} }, tsh: { dist: { 'tsh.js': {} } } });
  t.throws(() => findPeerBin('tsh', join(dir, 'ctx-cli/dist')), { code: 'ENOENT' });
  t.end();
});
