import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bin } from './checkout.mjs';
import { SetupFailure } from './failure.mjs';
import { examineMachine, requireChecks } from './machine.mjs';
import { say, step } from './progress.mjs';

/** The agent that the first run talks to, and its session. */
const agent = 'coder';
const demonstration = '!call fs.list {"path":"/workspace"}';

/** Brings up store, mount and agent, as far as this machine allows. `workspace` is the directory that the agent works in. */
export async function bringUp(workspace) {
  await step('reference tree in the store', () => ctx(['bootstrap', '--quiet']));
  const findings = await examineMachine();
  requireChecks(findings, ['fuse', 'fusermount3']);
  await step('mount', () => ctx(['mount', '--quiet']));
  await useOwnRoot();
  requireChecks(findings, ['bubblewrap', 'user namespaces']);
  await step(`${agent} in its sandbox on ${workspace}`, () => startAgent(workspace));
}

/** Where the machine has a mount for everybody, that one comes first: what follows is about one's own. */
async function useOwnRoot() {
  const { root } = JSON.parse((await ctxResult(['env', '--own', '--json'])).output);
  if (!readFileSync('/proc/self/mountinfo', 'utf8').includes(' /ctx ') || root === '/ctx') return;
  process.env.CTX_ROOT = root;
  say(`this machine has a CortexFS for everybody at /ctx; to work on your own: export CTX_ROOT=${root}`);
}

/** Sends one message and leaves the answer on standard output. Resolves with the exit code. */
export function sendMessage(text) {
  return foreground(['agent', 'send', agent, '--', text]);
}

/** Shows one real tool call: the agent lists its directory. */
export function demonstrate() {
  say(`\nyou   > ${demonstration}\n${agent} >`);
  return sendMessage(demonstration);
}

export function chat() {
  return foreground(['agent', 'chat', agent]);
}

/** An agent that works elsewhere is moved here: the person who types `npm start` means this directory. */
async function startAgent(workspace) {
  const start = ['agent', 'start', agent, '--workspace', workspace];
  const first = await ctxResult(start);
  if (first.code === 0) return first.output.includes('already') ? 'in place' : undefined;
  if (!first.output.includes('EBUSY')) throw failure(start, first);
  await ctx(['agent', 'stop', agent]);
  await ctx(start);
  return 'moved here';
}

async function ctx(args) {
  const result = await ctxResult(args);
  if (result.code !== 0) throw failure(args, result);
  return result.output.includes('already') || result.output.trim() === '' ? 'in place' : undefined;
}

function failure(args, { code, output }) {
  const [what, ...rest] = output.trim().split('\n');
  const hint = rest.find((line) => line.startsWith('hint: '))?.slice('hint: '.length);
  // `ctx agent start: ENOENT …`: which program below ctx found it helps nobody.
  const why = what.replace(/^[a-z-]+: (?=[A-Z0-9]+: )/, '');
  return new SetupFailure(`ctx ${args.slice(0, 2).join(' ')}`, why || `exit ${code}`, hint, code);
}

function ctxResult(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin('ctx'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      signal === 'SIGINT' ? process.exit(130) : resolve({ code: code ?? 70, output }),
    );
  });
}

/** The command owns the terminal: Ctrl-C is for it alone. */
function foreground(args) {
  process.on('SIGINT', () => {});
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin('ctx'), ...args], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal === 'SIGINT' ? 130 : (code ?? 70)));
  });
}
