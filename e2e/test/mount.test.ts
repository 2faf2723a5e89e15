import {
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import t from 'tap';
import { framesOf, typesOf } from '../frames.ts';
import { mountedPlace, run } from '../place.ts';
import { freshUser } from '../user.ts';

const place = await mountedPlace(t);
const { root } = place;
writeFileSync(`${place.workspace}/README.md`, 'read me\n');
/** Executes a file of the root as a person would, with nothing in the environment. */
const execute = (path: string, args: readonly string[], input = '') =>
  run(`${root}/${path}`, args, { input, env: {}, cwd: place.workspace });
const message = (out: string) => framesOf(out).find(({ type }) => type === 'message')?.content;

t.test('the root shows exactly its seven entries, hidden ones included', async (t) => {
  const entries = ['agent', 'bin', 'home', 'model', 'shared', 'status', 'tool'];
  t.equal((await run('/bin/ls', ['-A', root])).out, `${entries.join('\n')}\n`);
  t.equal(await place.must(t, ['ls']), `${entries.join('\n')}\n`);
  t.equal(readFileSync(`${root}/status`, 'utf8'), 'ready\n');
  for (const name of ['x', '.x', 'etc', 'Agent']) {
    t.throws(() => statSync(`${root}/${name}`), { code: 'ENOENT' });
    t.throws(() => writeFileSync(`${root}/${name}`, ''), { code: /EPERM|EROFS/ });
  }
});

t.test('an executable reads as metadata and holds no code', async (t) => {
  const { out } = await run('/bin/cat', [`${root}/tool/fs.read`]);
  t.equal(
    out,
    `#!${place.store}/bin/cortexfs-object-runner\n# cortexfs.object=tool\n# cortexfs.name=fs.read\n`,
  );
  const model = readFileSync(`${root}/model/debug/echo`, 'utf8').split('\n');
  t.match(model[0], /^#!\//);
  t.strictSame(
    model.slice(1).filter((line) => line !== '' && !line.startsWith('# cortexfs.')),
    [],
  );
  t.throws(() => writeFileSync(`${root}/tool/fs.read`, 'mine'), { code: 'EPERM' });
  t.throws(() => rmSync(`${root}/tool/fs.read`), { code: 'EPERM' });
});

t.test('tools run as files do, on argv and on stdin, with an empty environment', async (t) => {
  const word = await execute('tool/fs.read', ['README.md']);
  const json = await execute('tool/fs.read', ['{"path":"README.md"}']);
  const stdin = await execute('tool/fs.read', [], '{"path":"README.md"}\n');
  for (const { code, out, err } of [word, json, stdin]) {
    t.strictSame([code, err], [0, '']);
    t.strictSame(typesOf(framesOf(out)), ['start', 'message', 'done']);
    t.strictSame(message(out), [{ type: 'text', text: 'read me\n' }]);
    t.equal(new Set(framesOf(out).map(({ run }) => run)).size, 1, 'one run');
  }
  const list = await execute('tool/fs.list', ['.']);
  t.match(list.out, /\\"name\\":\\"README.md\\",\\"type\\":\\"file\\",\\"size\\":8/);
  const stat = await execute('tool/fs.stat', ['{"path":"README.md"}']);
  t.match(stat.out, /\\"size\\":8/);
});

t.test('what a tool cannot do is an error frame and an exit code', async (t) => {
  const cases = [
    ['{"path":"absent"}', 1, 'ENOENT'],
    ['{"pth":"README.md"}', 2, 'EINVAL'],
    ['{"path":', 2, 'EINVAL'],
    ['.', 1, 'EISDIR'],
  ] as const;
  for (const [input, code, errno] of cases) {
    const ended = await execute('tool/fs.read', [input]);
    t.equal(ended.code, code, input);
    t.match(framesOf(ended.out).slice(-2), [
      { type: 'error', code: errno },
      { type: 'done', status: 'error' },
    ]);
  }
  const readOnly = JSON.stringify({ path: `${root}/status`, content: 'busy', mode: 'replace' });
  const refused = await execute('tool/fs.write', [readOnly]);
  t.equal(refused.code, 13);
  t.match(framesOf(refused.out).at(-2), { type: 'error', code: /EPERM|EROFS|EACCES/ });
});

t.test('a model answers text on argv and stdin, and messages as JSON', async (t) => {
  const inputs = [
    [['hello', 'there'], '', 'hello there'],
    [[], 'from stdin\n', 'from stdin'],
    [[], '{"messages":[{"role":"system","content":"x"},{"role":"user","content":"第一"}]}', '第一'],
  ] as const;
  for (const [args, input, answer] of inputs) {
    const { code, out } = await execute('model/debug/echo', args, input);
    t.equal(code, 0);
    t.strictSame(typesOf(framesOf(out)), ['start', 'message', 'done']);
    t.strictSame(message(out), [{ type: 'text', text: answer }]);
  }
  const bad = await execute('model/debug/echo', [], '{"messages":1}');
  t.equal(bad.code, 2);
  t.match(framesOf(bad.out).at(-1), { type: 'done', status: 'error' });
});

t.test('the launchers in bin need no PATH', async (t) => {
  t.strictSame(readdirSync(`${root}/bin`), ['cortexfs-object-runner', 'ctx', 'ctxterm', 'tsh']);
  for (const name of readdirSync(`${root}/bin`)) {
    const { code, out, err } = await execute(`bin/${name}`, ['--version']);
    t.strictSame([code, out, err], [0, `${name} 0.1.7\n`, ''], name);
  }
});

t.test('an agent executable outside its host says what it wants', async (t) => {
  const { code, err, out } = await execute('agent/coder', []);
  t.strictSame([code, out], [69, '']);
  t.match(err, /^cortexfs-object-runner: ENOTCONN: agent\/coder: .*\nhint: ctx agent start coder/);
});

t.test('a control is set by ctx, by echo and by rename', async (t) => {
  const file = `${root}/agent/coder.d/approval`;
  const stored = () => readFileSync(`${place.store}/agent/coder.d/approval`, 'utf8');
  await place.must(t, ['set', 'agent/coder.d/approval', 'ask']);
  t.equal(stored(), 'ask\n');
  t.equal((await run('/bin/sh', ['-c', `echo auto > ${file}`])).code, 0);
  t.equal(stored(), 'auto\n');
  writeFileSync(`${root}/agent/coder.d/.approval.new`, 'ask\n');
  t.equal(stored(), 'auto\n', 'nothing changes before the rename');
  renameSync(`${root}/agent/coder.d/.approval.new`, file);
  t.equal(stored(), 'ask\n');
  await place.must(t, ['set', 'agent/coder.d/approval', '-'], { input: 'auto\n' });
  t.equal(readFileSync(file, 'utf8'), 'auto\n');
  t.strictSame(
    readdirSync(`${place.store}/agent/coder.d`).filter((name) => name.startsWith('.')),
    [],
  );
});

t.test('a bad value is EINVAL and the old value stays', async (t) => {
  const file = `${root}/agent/coder.d/policy`;
  const before = readFileSync(file, 'utf8');
  const set = await place.ctx(['set', 'agent/coder.d/policy', 'allow coder_t tool:fs.read fly']);
  t.equal(set.code, 2);
  t.match(set.err, /^ctx: EINVAL: agent\/coder\.d\/policy:1: .*"fly"/);
  t.equal(set.err.trim().split('\n').length, 1, 'one line');
  t.throws(() => writeFileSync(file, 'allow everything\n'), { code: 'EINVAL' });
  writeFileSync(`${root}/agent/coder.d/.policy`, 'deny coder_t\n');
  t.throws(() => renameSync(`${root}/agent/coder.d/.policy`, file), { code: 'EINVAL' });
  rmSync(`${root}/agent/coder.d/.policy`);
  const echo = await run('/bin/bash', ['-c', `echo nonsense > ${file}`]);
  t.match(echo.err, /Invalid argument/);
  t.equal(readFileSync(file, 'utf8'), before);
  t.equal(readFileSync(`${place.store}/agent/coder.d/policy`, 'utf8'), before);
  await place.must(t, ['append', 'agent/coder.d/policy', 'allow coder_t tool:fs.write execute']);
  t.equal(readFileSync(file, 'utf8'), `${before}allow coder_t tool:fs.write execute\n`);
});

t.test('unknown controls, projections and a model limit cannot be written', async (t) => {
  t.throws(() => writeFileSync(`${root}/model/debug/echo.d/limit`, '5\n'), { code: 'EROFS' });
  t.throws(() => writeFileSync(`${root}/agent/coder.d/status`, 'busy\n'), { code: /EROFS|EPERM|EACCES/ });
  t.throws(() => writeFileSync(`${root}/agent/coder.d/colour`, 'red\n'), { code: 'EPERM' });
  const limit = await place.ctx(['set', 'model/debug/echo.d/limit', '5']);
  t.equal(limit.code, 13);
  t.match(limit.err, /EROFS/);
  const unknown = await place.ctx(['set', 'agent/coder.d/colour', 'red']);
  t.equal(unknown.code, 1);
  t.match(unknown.err, /ENOENT: agent\/coder\.d\/colour: .*\nhint: /);
});

t.test('attributes tell kind, path and size, and nobody sets them', async (t) => {
  const { out } = await run('/usr/bin/getfattr', ['--absolute-names', '-d', `${root}/agent/coder.d/policy`]);
  const size = statSync(`${root}/agent/coder.d/policy`).size;
  t.match(out, 'user.cortexfs.kind="ctx.agent.control"\n');
  t.match(out, 'user.cortexfs.abi_path="agent/coder.d/policy"\n');
  t.match(out, `user.cortexfs.bytes="${size}"\n`);
  for (const [path, kind] of [
    ['tool/fs.read', 'ctx.tool.exec'],
    ['model/debug/echo', 'ctx.model.exec'],
    ['shared', 'ctx.shared.dir'],
  ])
    t.match(
      (await run('/usr/bin/getfattr', ['-n', 'user.cortexfs.kind', `${root}/${path}`])).out,
      `user.cortexfs.kind="${kind}"`,
    );
  const link = await run('/usr/bin/getfattr', ['-h', '-d', `${root}/model/main`]);
  t.strictSame([link.code, link.out, link.err], [0, '', ''], 'a link lists none');
  for (const args of [
    ['-n', 'user.cortexfs.kind', '-v', 'x'],
    ['-x', 'user.cortexfs.kind'],
  ])
    t.not((await run('/usr/bin/setfattr', [...args, `${root}/tool/fs.read`])).code, 0);
});

t.test('residue, temporary files and views are never listed, aliases read as links', async (t) => {
  for (const name of ['.cortexfs-install-1', '.ctx-rollback-2']) {
    writeFileSync(`${place.store}/tool/${name}`, 'x');
    t.throws(() => statSync(`${root}/tool/${name}`), { code: 'ENOENT' });
  }
  t.strictSame(
    readdirSync(`${root}/tool`).filter((name) => name.startsWith('.')),
    [],
  );
  t.notOk(readdirSync(root).includes('.view'));
  t.equal(readlinkSync(`${root}/model/main`), 'debug/script');
  t.equal(readlinkSync(`${root}/model/helper`), 'debug/script');
});

t.test('another user is refused, by the mount itself', async (t) => {
  const user = freshUser(t);
  const as = (file: string, args: readonly string[]) =>
    run('/usr/bin/setpriv', [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', file, ...args]);
  await run('/bin/chmod', ['755', place.folder, `${place.folder}/run`, place.runtime]);
  t.equal((await as('/bin/ls', [place.folder])).code, 0, 'they do reach the mount point');
  for (const args of [
    ['/bin/ls', root],
    ['/bin/cat', `${root}/status`],
    ['/bin/ls', `${root}/.view/coder`],
  ]) {
    const { code, err } = await as(args[0]!, args.slice(1));
    t.not(code, 0);
    t.match(err, /Permission denied/);
  }
  await run('/bin/chmod', ['700', place.folder, `${place.folder}/run`, place.runtime]);
});

t.test('mounting again mends launchers of a checkout that is gone', async (t) => {
  const launcher = `${place.store}/bin/ctx`;
  const good = readFileSync(launcher, 'utf8');
  writeFileSync(launcher, "#!/bin/sh\nexec '/gone/node' '/gone/ctx.js' \"$@\"\n");
  t.match(await place.must(t, ['mount']), /^already mounted/);
  t.equal(readFileSync(launcher, 'utf8'), good);
});

t.test('mounting again changes nothing and says so; unmounting leaves an empty directory', async (t) => {
  t.match(await place.must(t, ['mount']), /^already mounted/);
  t.match(await place.must(t, ['bootstrap']), /\d+ exist|already complete/);
  t.match(await place.must(t, ['umount']), `unmounted ${root}\n`);
  t.strictSame(readdirSync(root), []);
  await place.must(t, ['mount', '--quiet']);
  t.equal(readFileSync(`${root}/status`, 'utf8'), 'ready\n');
});
