import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { networkEnvironment } from '../clone.ts';
import { checkout, Place, run } from '../place.ts';

const bins = readdirSync(`${checkout}/packages`).filter((name) => name !== 'abi' && name !== 'linux');

/** Node and global packages below a home directory, as version managers lay them out. */
const place = new Place();
t.teardown(() => place.remove());
const prefix = `${place.folder}/.nvm/versions/node/${process.version}`;
const env = { ...place.env, ...networkEnvironment, PATH: `${prefix}/bin:/usr/bin:/bin` };
const installed = (bin: string, args: readonly string[]) =>
  run(`${prefix}/bin/${bin}`, args, { env, cwd: place.workspace });

t.before(async () => {
  mkdirSync(`${prefix}/bin`, { recursive: true });
  copyFileSync(process.execPath, `${prefix}/bin/node`);
  writeFileSync(`${place.workspace}/README.md`, 'read me\n');
  const packed = `${place.folder}/packed`;
  mkdirSync(packed);
  const folders = bins.map((name) => `./packages/${name}`);
  await npm(checkout, 'pack', '--ignore-scripts', '--pack-destination', packed, ...folders);
  const archives = readdirSync(packed).map((name) => `./${name}`);
  await npm(packed, 'install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', ...archives);
});

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const { code, err } = await run('npm', args, {
    cwd,
    env: { ...process.env, ...env, PATH: process.env['PATH'] },
  });
  if (code !== 0) throw new Error(`npm ${args[0]} exited ${code}: ${err}`);
}

t.test('each package brings one bin, which knows its version', async (t) => {
  t.strictSame(readdirSync(`${prefix}/lib/node_modules/@cortexfs`).sort(), bins.sort());
  const commands = readdirSync(`${prefix}/bin`).filter((name) => name !== 'node');
  t.equal(commands.length, bins.length);
  for (const bin of commands)
    t.match(await installed(bin, ['--version']), { code: 0, out: `${bin} 0.1.7\n` });
});

t.test(
  'installed from packages, with node below a home, an agent runs its tools in its sandbox',
  async (t) => {
    t.match(await installed('ctx', ['bootstrap', '--quiet']), { code: 0, err: '' });
    t.match(await installed('ctx', ['mount', '--quiet']), { code: 0, err: '' });
    t.match(readFileSync(`${place.root}/bin/ctx`, 'utf8'), `${prefix}/bin/node`);
    const direct = await run(`${place.root}/tool/fs.read`, ['{"path":"README.md"}'], {
      env: {},
      cwd: place.workspace,
    });
    t.match(direct, { code: 0, out: /read me/ }, 'without any PATH');
    t.match(await installed('ctx', ['agent', 'start', 'coder']), { code: 0, out: /coder is ready/ });
    const list = await installed('ctx', ['agent', 'send', 'coder', '!call fs.list {"path":"/workspace"}']);
    t.match(list, { code: 0, out: /"README.md"/ });
    t.match(await installed('ctx', ['terminal', 'list']), {
      code: 0,
      out: /^terminal-coder-default +running /,
    });
  },
);

t.test('what is missing beside a bin is named, with the command that brings it', async (t) => {
  const host = `${prefix}/lib/node_modules/@cortexfs/agent-host`;
  renameSync(host, `${host}-away`);
  t.match(await installed('ctx', ['agent', 'stop', 'coder']), {
    code: 1,
    err: /^ctx: ENOENT: .*\nhint: npm i -g @cortexfs\/agent-host\n$/,
  });
  renameSync(`${host}-away`, host);
  t.match(await installed('ctx', ['agent', 'stop', 'coder']), { code: 0 });
  t.match(await installed('ctx', ['umount']), { code: 0 });
});
