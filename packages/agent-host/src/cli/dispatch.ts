import { CortexError, errorJson, errorLines, fromNodeError } from '@cortexfs/abi/errors';
import { closeReport, reportError } from '../launch/report.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { untilCommand } from './until-command.ts';

/** Runs one command line; the answer is the exit code. A refusal is one line and a hint on standard error. */
export async function dispatch(argv: readonly string[]): Promise<number> {
  try {
    return await run(parseArguments(argv));
  } catch (thrown) {
    const error = fromNodeError(thrown);
    reportError(error);
    const json = untilCommand(argv).options.includes('--json');
    process.stderr.write(json ? `${JSON.stringify(errorJson(error))}\n` : errorLines('agent-host', error));
    return error.exitCode;
  } finally {
    closeReport();
  }
}

async function run(args: Arguments): Promise<number> {
  switch (args.command) {
    case 'start':
      return (await import('./start.ts')).start(args);
    case 'stop':
      return (await import('./stop.ts')).stop(args);
    case 'status':
      return (await import('./status.ts')).status(args);
    case 'ps':
      return (await import('./ps.ts')).ps(args);
    case 'prompt':
      return (await import('./prompt.ts')).prompt(args);
    case 'tools':
      return (await import('./tools.ts')).tools(args);
    case 'env':
      return (await import('./env.ts')).env(args);
    case 'terminal':
      return (await import('../launch/terminal.ts')).keepTerminal(await roleOptions(args));
    case 'serve':
      return (await import('../serve/serve.ts')).serveAgent(await roleOptions(args));
  }
}

/** The role processes judge the mount themselves: between their start and now it may have died. */
async function roleOptions(args: Arguments) {
  const { requireMount, siteOf } = await import('../launch/site.ts');
  const site = siteOf(args);
  requireMount(site);
  if (args.name === undefined) throw new CortexError('EINVAL', `${args.command}: NAME is missing`);
  const { name, session, workspace, cwd, mounts, after, unit } = args;
  return { site, name, session, workspace, cwd, mounts, command: after, unit };
}
