import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatLauncher } from '@cortexfs/abi/launcher';
import t from 'tap';
import { closureOf } from '../../../src/sandbox/closure/closure.ts';
import { dependencyFolders } from '../../../src/sandbox/closure/dependency.ts';
import { temporaryDirectory } from '../../temporary.ts';

function installation(t: Parameters<typeof temporaryDirectory>[0], files: Readonly<Record<string, string>>) {
  const root = realpathSync(temporaryDirectory(t));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const launcher = (name: string, node: string, script: string) =>
    write(`store/bin/${name}`, formatLauncher({ node, script: join(root, script) }));
  return { root, store: join(root, 'store'), launcher };
}

t.test('flat, as npm -g installs: packages with what is nested in them', async (t) => {
  const { root, store, launcher } = installation(t, {
    'lib/node_modules/@cortexfs/tsh/package.json': '{"dependencies":{"native":"1"}}',
    'lib/node_modules/@cortexfs/tsh/dist/tsh.js': '',
    'lib/node_modules/@cortexfs/tsh/node_modules/native/package.json': '{}',
    'node/bin/node': '',
  });
  launcher(
    'cortexfs-object-runner',
    join(root, 'node/bin/node'),
    'lib/node_modules/@cortexfs/tsh/dist/tsh.js',
  );
  t.same(closureOf(store), {
    paths: [
      `${root}/node/bin/node`,
      `${root}/lib/node_modules/@cortexfs/tsh`,
      `${store}/bin/cortexfs-object-runner`,
    ],
    links: [],
  });
});

t.test('linked, as pnpm installs: real folders, and links that no folder brings', async (t) => {
  const { root, store, launcher } = installation(t, {
    'packages/tsh/package.json': '{"dependencies":{"native":"1"},"devDependencies":{"absent":"1"}}',
    'packages/tsh/dist/tsh.js': '',
    'modules/native@1/node_modules/native/package.json':
      '{"optionalDependencies":{"native-linux":"1","native-mac":"1"}}',
    'modules/native-linux@1/node_modules/native-linux/package.json': '{}',
  });
  mkdirSync(join(root, 'packages/tsh/node_modules'));
  symlinkSync(
    '../../../modules/native@1/node_modules/native',
    join(root, 'packages/tsh/node_modules/native'),
  );
  symlinkSync(
    '../../native-linux@1/node_modules/native-linux',
    join(root, 'modules/native@1/node_modules/native-linux'),
  );
  symlinkSync('/usr/bin/env', join(root, 'node-link'));
  launcher('cortexfs-object-runner', join(root, 'node-link'), 'packages/tsh/dist/tsh.js');
  const { paths, links } = closureOf(store);
  t.same(
    [...paths].sort(),
    [
      `${root}/modules/native-linux@1/node_modules/native-linux`,
      `${root}/modules/native@1/node_modules/native`,
      `${root}/packages/tsh`,
      `${store}/bin/cortexfs-object-runner`,
    ].sort(),
  );
  t.same(links, [
    { path: `${root}/node-link`, target: '/usr/bin/env' },
    {
      path: `${root}/modules/native@1/node_modules/native-linux`,
      target: `${root}/modules/native-linux@1/node_modules/native-linux`,
    },
  ]);
});

t.test('packages that need each other are found once', async (t) => {
  const { root } = installation(t, {
    'node_modules/a/package.json': '{"dependencies":{"b":"1"}}',
    'node_modules/b/package.json': '{"dependencies":{"a":"1"}}',
  });
  t.same(
    dependencyFolders(join(root, 'node_modules/a'))
      .map(({ target }) => target)
      .sort(),
    [join(root, 'node_modules/a'), join(root, 'node_modules/b')],
  );
});

t.test('a bin/ that bootstrap did not write is refused with the way out', async (t) => {
  const { store } = installation(t, { 'store/bin/tsh': '#!/bin/sh\necho hi\n' });
  t.throws(() => closureOf(store), { code: 'EINVAL', hint: 'ctx bootstrap' });
  const { store: missing } = installation(t, { 'store/x': '' });
  t.throws(() => closureOf(missing), { code: 'ENOENT', hint: 'ctx bootstrap' });
});
