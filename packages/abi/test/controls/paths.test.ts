import fc from 'fast-check';
import t from 'tap';
import { cwd } from '../../src/controls/cwd.ts';
import { path } from '../../src/controls/path.ts';
import { root } from '../../src/controls/root.ts';
import { canonical, refused } from './expectations.ts';

for (const [name, codec] of Object.entries({ root, cwd })) {
  t.test(`${name}: one absolute path in its only spelling`, async (t) => {
    canonical(t, codec, [
      ['/\n', '/'],
      ['/workspace\n', '/workspace'],
      ['/ctx/home/1000/agent/coder/root\n', '/ctx/home/1000/agent/coder/root'],
      ['/a b/…/.hidden/..x\n', '/a b/…/.hidden/..x'],
    ]);
    refused(t, codec, [
      ['workspace\n', `${name} must be an absolute path, got "workspace"`],
      ['./x\n', 'absolute path'],
      ['/a/../b\n', 'no ".." component'],
      ['/..\n', 'no ".." component'],
      ['/a/./b\n', 'no "." component'],
      ['/a//b\n', 'no "" component'],
      ['//\n', 'no "" component'],
      ['/a/\n', 'no "" component'],
      ['/a\n/b\n', 'one line'],
      ['/a\tb\n', 'control character'],
      ['/a\x7f\n', 'control character', 1],
      ['', 'is empty'],
    ]);
  });
}

t.test('path: directories in order of search, one a line', async (t) => {
  canonical(t, path, [
    ['', []],
    ['/ctx/tool\n', ['/ctx/tool']],
    ['/ctx/home/1000/tool\n/ctx/tool\n', ['/ctx/home/1000/tool', '/ctx/tool']],
  ]);
  refused(t, path, [
    ['/ctx/tool:/x\n', 'directory must have no ":"', 1],
    ['/ctx/tool\ntool\n', 'directory must be an absolute path', 2],
    ['/ctx/tool\n/ctx/tool\n', 'repeats', 2],
    ['/ctx/tool\n\n', 'is blank', 2],
    ['/ctx/../tool\n', 'no ".." component', 1],
    ['.\n', 'absolute path', 1],
  ]);
});

t.test('every normal path survives', async () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9_+ äöü-]{1,12}[a-z]$/).filter((text) => text === text.trim());
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = `/${parts.join('/')}`;
      return root.parse(root.format(text)) === text;
    }),
  );
});
