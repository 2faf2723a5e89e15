import { mkdirSync, symlinkSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { parseRcFile } from '../../src/place/rc-file.ts';
import { parseToolPath, toolPath } from '../../src/place/tool-path.ts';
import { testRoot } from '../support/root.ts';

for (const bad of [
  '',
  ':',
  '/a:',
  ':/a',
  '/a::/b',
  'tool',
  './tool',
  '../tool',
  '/a:tool',
  '/a/../b',
  '/a/./b',
  '/a//b',
  '/a\0b',
  '~/tool',
  ' /a',
]) {
  t.test(`a path of ${JSON.stringify(bad)} is refused`, async (t) => {
    t.throws(() => parseToolPath(bad), { code: 'EINVAL' });
  });
}

t.test('directories are searched in their order', async (t) => {
  t.same(parseToolPath('/b:/a/:/c d'), ['/b', '/a', '/c d']);
});

t.test('a person without settings gets the standard directories', async (t) => {
  const { root } = testRoot(t);
  t.same(toolPath({ root, uid: 7, env: {} }), {
    directories: [`${root}/tool`, `${root}/home/7/tool`],
    source: 'default',
  });
});

t.test("a person's .tshrc comes before CTX_PATH", async (t) => {
  const { root, write } = testRoot(t);
  const env = { CTX_PATH: '/from/env' };
  t.match(toolPath({ root, uid: 7, env }), { directories: ['/from/env'], source: 'CTX_PATH' });
  write('home/7/.tshrc', '# mine\n\nCTX_PATH=/from/file:/second\n');
  t.match(toolPath({ root, uid: 7, env }), { directories: ['/from/file', '/second'], source: '.tshrc' });
  write('other/.tshrc', '# nothing set\n');
  t.match(toolPath({ root, uid: 7, env: { ...env, CTX_HOME: `${root}/other` } }), { source: 'CTX_PATH' });
});

t.test('a .tshrc that is a link or a directory is refused', async (t) => {
  const { root, write } = testRoot(t);
  write('home/7/real', 'CTX_PATH=/x\n');
  symlinkSync('real', `${root}/home/7/.tshrc`);
  t.throws(() => toolPath({ root, uid: 7, env: {} }), { code: 'ELOOP' });
  mkdirSync(`${root}/home/8/.tshrc`, { recursive: true });
  t.throws(() => toolPath({ root, uid: 8, env: {} }), { code: 'EINVAL' });
});

t.test('inside an agent only granted directories are searched, and .tshrc is not read', async (t) => {
  const { root, write } = testRoot(t);
  write('home/7/.tshrc', 'CTX_PATH=/from/file\n');
  const facts = { root, uid: 7, granted: ['/ctx/tool', '/more'] };
  t.same(toolPath({ ...facts, env: { CTX_PATH: '/more' } }).directories, ['/more']);
  t.throws(() => toolPath({ ...facts, env: { CTX_PATH: '/ctx/tool:/workspace/bin' } }), { code: 'EACCES' });
  t.throws(() => toolPath({ ...facts, env: { CTX_PATH: '' } }), { code: 'EINVAL' });
  t.match(toolPath({ ...facts, env: {} }), { source: 'default' });
  const ungranted = { root, uid: 7, granted: [] };
  t.same(toolPath({ ...ungranted, env: { CTX_PATH: `${root}/tool` } }).directories, [`${root}/tool`]);
  t.throws(() => toolPath({ ...ungranted, env: { CTX_PATH: '/workspace/bin' } }), { code: 'EACCES' });
});

for (const [text, line] of [
  ['CTX_PATH=/a\nCTX_PATH=/b\n', 2],
  ['export CTX_PATH=/a\n', 1],
  ['\n\nrm -rf /\n', 3],
  ['CTX_PATH =/a\n', 1],
  ['PATH=/a\n', 1],
] as const) {
  t.test(`a .tshrc of ${JSON.stringify(text)} is refused at line ${line}`, async (t) => {
    t.throws(() => parseRcFile(text), { code: 'EINVAL', line });
  });
}

t.test('a value of .tshrc is taken as it is: nothing is expanded', async (t) => {
  t.equal(parseRcFile('CTX_PATH=/a:$HOME/b\n'), '/a:$HOME/b');
  t.equal(parseRcFile('# CTX_PATH=/a\n'), undefined);
});

t.test('any text gives directories or the typed error', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const parse of [parseToolPath, parseRcFile]) {
        try {
          parse(text);
        } catch (error) {
          if (!(error instanceof CortexError)) return false;
        }
      }
      return true;
    }),
  );
});
