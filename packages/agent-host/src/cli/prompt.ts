import { stripControls } from '@cortexfs/abi/terminal-text';
import { deploymentOf } from '@cortexfs/linux/place';
import { loadDefinition } from '../definition/load.ts';
import { receiptsOf } from '../launch/receipt-file.ts';
import { siteOf } from '../launch/site.ts';
import { gatherParts } from '../serve/prompt/gather.ts';
import { renderPrompt } from '../serve/prompt/render.ts';
import { chooseModel } from '../serve/run/model-choice.ts';
import type { Arguments } from './arguments.ts';

/** Stands for what only a run has. */
const NO_HISTORY = '(history_messages: the conversation, only in a run)';

/** The system message that the next run would get, by the renderer of runs (docs/prompt.md). */
export async function prompt(args: Arguments): Promise<number> {
  const site = siteOf(args);
  const name = args.name!;
  const definition = loadDefinition(site.store, name);
  const running = receiptsOf(site.runtime, name).find(({ alive }) => alive)?.receipt;
  const place = {
    store: site.store,
    agent: name,
    config: deploymentOf(site.system === undefined ? 'user' : 'system').config,
    workspace: running === undefined ? args.workspace : running.workspace,
    session: args.session,
    cwd: running?.cwd ?? definition.cwd,
  };
  const window = chooseModel({ site }, definition).window();
  const text = renderPrompt(gatherParts(place, definition, window, NO_HISTORY));
  if (args.json)
    process.stdout.write(`${JSON.stringify({ agent: name, session: args.session, prompt: text })}\n`);
  else process.stdout.write(process.stdout.isTTY ? stripControls(text) : text);
  return 0;
}
