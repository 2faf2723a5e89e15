import t from 'tap';
import type { ModelName, ObjectName, ProviderName, RunId, SessionName, SpaceName } from '../../src/names.ts';
import * as paths from '../../src/paths.ts';

const coder = 'coder' as ObjectName;
const session = 'default' as SessionName;
const model: ModelName = { provider: 'openai' as ProviderName, model: 'gpt-5.6' as ObjectName };

t.test('objects are an executable, a socket and a control directory', async (t) => {
  t.equal(paths.agentExec(coder), 'agent/coder');
  t.equal(paths.agentSocket(coder), 'agent/coder.sock');
  t.equal(paths.agentControls(coder), 'agent/coder.d');
  t.equal(paths.agentControl(coder, 'policy'), 'agent/coder.d/policy');
  t.equal(paths.toolExec(coder), 'tool/coder');
  t.equal(paths.toolControls(coder), 'tool/coder.d');
  t.equal(paths.toolControl(coder, 'schema'), 'tool/coder.d/schema');
  t.equal(paths.modelProvider(model.provider), 'model/openai');
  t.equal(paths.modelExec(model), 'model/openai/gpt-5.6');
  t.equal(paths.modelSocket(model), 'model/openai/gpt-5.6.sock');
  t.equal(paths.modelControls(model), 'model/openai/gpt-5.6.d');
  t.equal(paths.modelControl(model, 'id'), 'model/openai/gpt-5.6.d/id');
  t.equal(paths.modelAlias('main' as ObjectName), 'model/main');
  t.equal(paths.hookDirectory(paths.agentControls(coder), 'pre'), 'agent/coder.d/hooks/pre.d');
  t.equal(paths.installReceipt('tool/x.d'), 'tool/x.d/.cortexfs-receipt.json');
  t.equal(paths.binary('tsh'), 'bin/tsh');
});

t.test('homes, shared spaces and views', async (t) => {
  t.equal(paths.home(1000), 'home/1000');
  t.equal(paths.homeAgent(1000, coder), 'home/1000/agent/coder');
  t.equal(paths.homeTool(1000, coder), 'home/1000/tool/coder');
  t.equal(paths.homeModel(1000, 'main' as ObjectName), 'home/1000/model/main');
  t.equal(paths.sharedSpace('project-a' as SpaceName), 'shared/project-a');
  t.equal(paths.view(coder), '.view/coder');
});

t.test('the root shows seven entries in name order', async (t) => {
  t.same(paths.ROOT_ENTRIES, ['agent', 'bin', 'home', 'model', 'shared', 'status', 'tool']);
  t.equal(paths.STATUS, 'status');
});

t.test('sessions, their files, index and terminals', async (t) => {
  const sessions = paths.privateSessions(1000, coder);
  const dir = paths.sessionDir(1000, coder, session);
  t.equal(sessions, 'home/1000/agent/coder/session');
  t.equal(dir, 'home/1000/agent/coder/session/default');
  t.equal(paths.sharedSessions('s' as SpaceName, coder), 'shared/s/agent/coder/session');
  t.equal(paths.sharedSessionDir('s' as SpaceName, coder, session), 'shared/s/agent/coder/session/default');
  t.equal(paths.sessionFile(dir, 'events'), `${dir}/events.jsonl`);
  t.equal(paths.sessionFile(dir, 'createdAt'), `${dir}/created_at`);
  t.equal(paths.sessionContext(dir), `${dir}/context`);
  t.equal(paths.sessionList(sessions), `${sessions}/index/list`);
  t.equal(paths.currentSession(sessions), `${sessions}/index/current`);
  t.equal(paths.sessionByCwd(sessions, 'ab12'), `${sessions}/index/by-cwd/ab12`);
  t.equal(paths.terminalDir(dir), `${dir}/terminal`);
  t.equal(paths.terminalAlias(dir), `${dir}/terminal/main.sock`);
  t.equal(
    paths.terminalMeta(dir, paths.terminalId(coder, session)),
    `${dir}/terminal/terminal-coder-default`,
  );
});

t.test('the runtime tree', async (t) => {
  const tree = paths.runtimeTree('/run/user/1000/cortexfs');
  const below = (path: string) => path.replace('/run/user/1000/cortexfs/', '');
  t.equal(below(tree.mountReceipt), 'mount.json');
  t.equal(below(tree.mountLog), 'log/mount.log');
  t.equal(below(tree.agentLog(coder)), 'log/agent-coder.log');
  t.equal(below(tree.terminalLog(coder, session)), 'log/terminal-coder:default.log');
  t.equal(below(tree.agentSocket(coder)), 'agent/coder.sock');
  t.equal(below(tree.terminalSocketDir(coder, session)), 'terminal/coder/default');
  t.equal(below(tree.terminalSocket(coder, session)), 'terminal/coder/default/main.sock');
  t.equal(below(tree.launchDir(coder)), 'launch/coder');
  t.equal(below(tree.socketReceipt(coder)), 'launch/coder/socket.json');
  t.equal(below(tree.terminalReceipt(coder, session)), 'launch/coder/terminal-default.json');
  t.equal(below(tree.agentStatus(coder)), 'launch/coder/status');
  t.equal(below(tree.cleanupReceipt(coder)), 'launch/coder/cleanup.json');
  t.equal(below(tree.runDir(coder, 'r1' as RunId)), 'run/coder/r1');
  t.equal(below(tree.controlSocket(coder, 'r1' as RunId)), 'run/coder/r1/control.sock');
});

t.test('places in the sandbox are below each other as the binds need', async (t) => {
  t.ok(paths.SANDBOX.sessions.startsWith(`${paths.SANDBOX.home}/`));
  t.ok(paths.SANDBOX.controlSocket.startsWith(`${paths.SANDBOX.runtime}/`));
  t.equal(paths.SANDBOX.terminalSocket, `${paths.SANDBOX.terminalSocketDir}/main.sock`);
});

t.test('the environment is a list of names without doubles and without secrets', async (t) => {
  const names = [...paths.TERMINAL_ENVIRONMENT, ...paths.STEP_ENVIRONMENT];
  t.equal(new Set(names).size, names.length);
  t.notOk(names.some((name) => /KEY|TOKEN$|SECRET|XDG|DBUS|SSH|NODE/.test(name)));
});

t.test('a socket path is limited to 107 bytes', async (t) => {
  const longest = `/${'é'.repeat(53)}`;
  t.equal(paths.checkSocketPath(longest), longest);
  t.throws(() => paths.checkSocketPath(`${longest}x`), {
    code: 'ENAMETOOLONG',
    path: `${longest}x`,
    message: 'socket path of 108 bytes; Unix sockets allow 107',
    hint: /shorter XDG_RUNTIME_DIR/,
  });
});
