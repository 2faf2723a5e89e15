// npm start: from a fresh checkout to a talk with an agent. See docs/first-run.md.
//   npm start                 set up, show one tool call, open the chat
//   npm start -- "TEXT"       set up, send TEXT, print the answer, exit
//   echo TEXT | npm start     the same
import { text } from 'node:stream/consumers';
import { endWith, SetupFailure } from './failure.mjs';
import { bringUp, chat, demonstrate, sendMessage } from './first-run.mjs';
import { buildBins, installPackages } from './packages.mjs';
import { elapsed, say, step } from './progress.mjs';
import { checkNode, fuseObstacle, preparePrograms, sandboxObstacle } from './system.mjs';

process.on('SIGINT', () => {});

try {
  process.exitCode = await start(process.argv.slice(2).join(' '));
} catch (error) {
  endWith('npm start', error);
}

async function start(argument) {
  const message = argument || (process.stdin.isTTY ? '' : (await text(process.stdin)).trim());
  const workspace = process.env.INIT_CWD ?? process.cwd();
  checkNode();
  say('CortexFS');
  await step('packages', installPackages);
  await step('build', buildBins);
  await step('bubblewrap and FUSE', preparePrograms);
  refuse('mount', fuseObstacle());
  refuse('sandbox', await sandboxObstacle());
  await bringUp(workspace);
  say(`ready in ${elapsed()}.`);
  if (message) return sendMessage(message);

  const code = await demonstrate();
  explain();
  return code === 0 && process.stdin.isTTY ? chat() : code;
}

function refuse(what, obstacle) {
  if (obstacle) throw new SetupFailure(what, obstacle.why, obstacle.hint, 69);
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
