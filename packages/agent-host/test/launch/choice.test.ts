import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeTree } from '@cortexfs/abi/paths';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import t from 'tap';
import { parseArguments } from '../../src/cli/arguments.ts';
import {
  choiceArguments,
  commandArguments,
  type LaunchChoice,
  recordedChoice,
  requireCommand,
  requireSameChoice,
  requireVisible,
} from '../../src/launch/choice.ts';
import { readReceipt } from '../../src/launch/receipt-file.ts';
import { agentState } from '../../src/launch/status.ts';
import { CODER, DEFAULT } from '../site.ts';
import { agentHost, askTerminal, makeRunnable, pingAgent, start } from './running.ts';

const CHOICE: LaunchChoice = {
  cwd: '/workspace/sub',
  mounts: [{ source: '/a:b', target: '/c', mode: 'rw' }],
  command: ['bash', '--json', '--', '--cwd', ''],
};

t.test('a role is started with the very choice, and its receipt has it', async (t) => {
  const words = [...choiceArguments(CHOICE), ...commandArguments('terminal', CHOICE)];
  const { cwd, mounts, after } = parseArguments(['terminal', 'coder', ...words]);
  t.same({ cwd, mounts, command: after }, CHOICE);
  t.same(commandArguments('socket', CHOICE), [], 'a host has no command');
  t.same(recordedChoice('terminal', CHOICE), {
    cwd: '/workspace/sub',
    mounts: ['/a:b:/c:rw'],
    command: CHOICE.command,
  });
  t.notOk('command' in recordedChoice('socket', CHOICE));
  for (const none of [{}, { mounts: [], command: [] }, { cwd: undefined }]) {
    t.same(recordedChoice('terminal', none), {});
    t.same([...choiceArguments(none), ...commandArguments('terminal', none)], []);
  }
});

t.test('COMMAND is the name of a tool', async (t) => {
  for (const word of ['bash', 'fs.list', 'tsh']) requireCommand([word, '-l', '/x', '--', '']);
  requireCommand([]);
  for (const word of ['', '-c', '--root', '/usr/bin/bash', './x', 'a/b', ' ', 'a b'])
    t.throws(() => requireCommand([word]), { code: 'EINVAL', hint: /-- bash -l/ }, JSON.stringify(word));
});

t.test('a directory of a workspace that is not shown', async (t) => {
  for (const cwd of ['/workspace', '/workspace/a'])
    t.throws(() => requireVisible(cwd, false), { code: 'ENOENT', path: cwd });
  for (const cwd of [undefined, '/home/agent', '/workspace2', '/']) requireVisible(cwd, false);
  requireVisible('/workspace/a', true);
});

t.test('what runs with another choice is in the way', async (t) => {
  const receipt = (role: LaunchReceipt['role'], session: string, choice: LaunchChoice) =>
    ({ role, session, ...recordedChoice(role, choice) }) as LaunchReceipt;
  const running = (choice: LaunchChoice) => [
    receipt('socket', 'default', choice),
    receipt('terminal', 'default', choice),
  ];
  const wanted = (choice: LaunchChoice, session = 'default') => ({ name: CODER, session, ...choice });
  requireSameChoice(running(CHOICE), wanted(CHOICE));
  requireSameChoice(running({}), wanted({ mounts: [], command: [] }));
  requireSameChoice([], wanted(CHOICE));
  const other: [LaunchChoice, RegExp][] = [
    [{ ...CHOICE, cwd: undefined }, /another --cwd: \/workspace\/sub/],
    [{ ...CHOICE, command: ['bash'] }, /another COMMAND: bash --json/],
    [{ ...CHOICE, mounts: [] }, /another --mount: \/a:b:\/c:rw/],
  ];
  for (const [choice, message] of other)
    t.throws(() => requireSameChoice(running(CHOICE), wanted(choice)), {
      code: 'EBUSY',
      message,
      hint: /ctx agent stop coder/,
    });
  t.throws(() => requireSameChoice(running({}), wanted({ cwd: '/home/agent' })), {
    message: /another --cwd: none/,
  });
  const { mounts } = CHOICE;
  // A terminal of another session is its own.
  requireSameChoice(running(CHOICE), wanted({ mounts }, 'two'));
  t.throws(
    () => requireSameChoice(running(CHOICE), wanted({}, 'two')),
    { code: 'EBUSY' },
    'but mounts are the agent’s',
  );
});

t.test('an agent that was started with a choice', async (t) => {
  const site = makeRunnable(t, {
    policy: 'allow coder_t mount:workspace write\nallow coder_t mount:part read\n',
  });
  site.write('data/part/file', '');
  site.write('store/agent/coder.d/mount', `${site.base}/data\t/data\trw\t-\n`);
  mkdirSync(join(site.workspace, 'sub'));
  const choice = {
    cwd: '/workspace/sub',
    mounts: [{ source: `${site.base}/data/part`, target: '/part', mode: 'ro' }],
    command: ['bash', '--json', '--help', '--'],
  } as const;
  const { instances } = await start(site, choice);
  const terminal = instances.find(({ role }) => role === 'terminal')!;
  const seen = await askTerminal(terminal.socket);
  t.equal(seen['cwd'], '/workspace/sub');
  t.same(
    (seen['argv'] as string[]).slice(-5),
    ['/ctx/bin/tsh', ...choice.command],
    'tsh finds the tool and decides',
  );
  const recorded = { cwd: choice.cwd, mounts: [`${site.base}/data/part:/part:ro`] };
  const tree = runtimeTree(site.runtime);
  t.match(readReceipt(tree.terminalReceipt(CODER, DEFAULT)), { ...recorded, command: choice.command });
  t.match(readReceipt(tree.socketReceipt(CODER)), recorded);
  t.match(agentState(site, CODER).instances, [recorded, { ...recorded, command: choice.command }]);
  t.match(await pingAgent(join(site.root, 'agent/coder.sock')), '"pong"');
  t.equal((await start(site, choice)).already, true);
  await t.rejects(start(site), { code: 'EBUSY', message: /another --mount/ });
  await t.rejects(start(site, { ...choice, command: [] }), { code: 'EBUSY', message: /COMMAND: bash/ });
});

t.test('an agent without a workspace', async (t) => {
  const site = makeRunnable(t);
  const { instances, workspace } = await start(site, { workspace: null });
  t.equal(workspace, null);
  t.equal((await askTerminal(instances[1]!.socket))['cwd'], '/home/agent');
  t.equal(instances[0]!.workspace, null);
  await t.rejects(start(site), { code: 'EBUSY', message: /already runs on no workspace/ });
  t.equal((await start(site, { workspace: null })).already, true);
});

t.test('a choice that cannot be had is refused before anything is started', async (t) => {
  const site = makeRunnable(t);
  const refused: [string[], number, RegExp][] = [
    [['--mount', `${site.base}:/data`], 13, /"allow coder_t mount:data read"/],
    [['--mount', 'nonsense'], 2, /SOURCE:TARGET/],
    [['--cwd', 'relative'], 2, /absolute/],
    [['--cwd', '/workspace/none'], 1, /no such directory/],
    [['--', '/usr/bin/bash'], 2, /cannot be the name of a tool/],
  ];
  for (const [words, code, message] of refused) {
    const options = words[0] === '--' ? [] : words;
    const outcome =
      words[0] === '--' ? ownProcess(site, words) : agentHost(site, 'start', 'coder', ...options).outcome;
    const { code: exit, stderr } = await outcome;
    t.equal(exit, code, `${words.join(' ')}: ${stderr}`);
    t.match(stderr, message);
    t.match(stderr, /^hint: /m);
  }
  t.same(agentState(site, CODER).instances, []);
});

/** COMMAND stands last. */
function ownProcess(site: Parameters<typeof agentHost>[0], words: readonly string[]) {
  return agentHost(site, 'start', 'coder', '--supervisor', 'direct', ...words).outcome;
}
