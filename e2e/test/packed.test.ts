import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { networkEnvironment } from '../clone.ts';
import { checkout, Place, run } from '../place.ts';
import { until } from '../until.ts';

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

t.test(
  'an agent is started with a choice: a program in its terminal, a place, a mount, no workspace',
  async (t) => {
    mkdirSync(`${place.folder}/docs`);
    writeFileSync(`${place.folder}/docs/page`, 'a page\n');
    t.match(await installed('ctx', ['agent', 'stop', 'coder']), { code: 0 });
    const script =
      'echo "<$PWD $(cat /page) $1 $(test -e /workspace && echo shown || echo none)>"; exec sleep 1000000';
    const choice = [
      ...['--no-default-workspace', '--cwd', '/home/agent', '--mount', `${place.folder}/docs/page:/page`],
      ...['--', 'bash', '-c', script, 'bash', '--json $HOME %h'],
    ];
    const start = () => installed('ctx', ['agent', 'start', 'coder', ...choice]);
    t.match(await start(), {
      code: 13,
      err: /"allow coder_t mount:page read"\nhint: ctx append agent\/coder.d\/policy/,
    });
    for (const rule of ['mount:page read', 'tool:bash execute'])
      await installed('ctx', ['append', 'agent/coder.d/policy', `allow coder_t ${rule}`]);
    t.match(await start(), { code: 13, err: /no line of the mount control covers it/ });
    await installed('ctx', ['append', 'agent/coder.d/mount', `${place.folder}/docs\t/docs\tro\t-`]);
    t.match(await start(), { code: 0, out: /coder is ready, without a workspace/ });
    const status = JSON.parse((await installed('ctx', ['terminal', 'status', 'coder', '--json'])).out);
    t.same(status.command.slice(1), choice.slice(choice.indexOf('--') + 1), 'the words are the very same');
    await until('the program has told what it sees', () => {
      const lines = readFileSync(`${place.root}/${status.events}`, 'utf8')
        .split('\n')
        .filter((line) => line.includes('data_b64'));
      const output = lines
        .map((line) => Buffer.from(JSON.parse(line).data_b64, 'base64').toString())
        .join('');
      return output.includes('</home/agent a page --json $HOME %h none>');
    });
    t.match(await start(), { code: 0, out: /is already running/ });
    t.match(await installed('ctx', ['agent', 'start', 'coder']), { code: 1, err: /EBUSY/ });
  },
);

t.test('tsh.config changes the limits that tsh loads tools by; an agent may not', async (t) => {
  const config = (input: string) => installed('ctx', ['tool', 'run', 'tsh.config', input]);
  t.match(await config('{"max_loaded_tools":1}'), { code: 0, out: /\\"max_loaded_tools\\":1,/ });
  t.match(await installed('ctx', ['cat', 'tool/tsh.d/config']), { code: 0, out: 'max_loaded_tools=1\n' });
  const tsh = (...words: string[]) => installed('tsh', ['--root', place.root, ...words]);
  t.match(await tsh('pin', 'fs.read'), { code: 0 });
  t.match(await tsh('pin', 'fs.stat'), { code: 69, err: /EAGAIN/ });
  t.match(await config('{"reset":true}'), { code: 0 });
  t.match(await tsh('pin', 'fs.stat'), { code: 0 });
  t.match(await config('{"max_loaded_tools":0}'), { code: 2 });
  t.match(await installed('ctx', ['explain', 'coder', 'tool:tsh.config', 'execute']), { code: 13 });
});

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
