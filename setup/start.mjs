// npm start: from a fresh checkout to a talk with an agent. See docs/first-run.md.
import { text } from 'node:stream/consumers';
import { checkout } from './checkout.mjs';
import { endWith } from './failure.mjs';
import { bringUp, chat, demonstrate, sendMessage } from './first-run.mjs';
import { checkNode } from './machine.mjs';
import { buildBins, installPackages } from './packages.mjs';
import { preparePrograms } from './programs.mjs';
import { elapsed, say, step } from './progress.mjs';

const usage = `Usage: npm start [-- TEXT…]

Sets up and starts the agent coder on the directory that you are in; then
  npm start               shows one tool call and opens the chat
  npm start -- 'TEXT'     sends TEXT, prints the answer, ends
  echo TEXT | npm start   the same

From another directory: npm --prefix ${checkout} start
Only the answer on standard output: npm start --silent
Undo: npm run undo

Exit codes: those of ctx (0 success, 1 failure, 2 bad input, 13 refused, 69 unavailable, 70 internal,
130 interrupted).
`;

try {
  process.exitCode = await start(process.argv.slice(2).join(' '));
} catch (error) {
  endWith('npm start', error);
}

async function start(argument) {
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(usage);
    return 0;
  }
  const message = argument || (process.stdin.isTTY ? '' : (await text(process.stdin)).trim());
  const workspace = process.env.INIT_CWD ?? process.cwd();
  checkNode();
  say('CortexFS');
  await step('packages', installPackages);
  await step('build', buildBins);
  await step('bubblewrap and FUSE', preparePrograms);
  await bringUp(workspace);
  say(`ready in ${elapsed()}.`);
  if (message) return sendMessage(message);

  const code = await demonstrate();
  explain();
  return code === 0 && process.stdin.isTTY ? chat() : code;
}

function explain() {
  say(`
The answer above came from the offline model debug/script, which is not an AI.
  a real model     dist/bin/ctx model add …   (not in this version yet)
  watch the agent  dist/bin/ctx agent watch coder
  look around      dist/bin/ctx ls
  undo everything  npm run undo   (stops the agents, unmounts, removes store and runtime files)
`);
}
