import { VERSION } from '@cortexfs/abi/version';
import { untilCommand } from './cli/until-command.ts';

const USAGE = `Usage: agent-host COMMAND [NAME] [OPTIONS]

Starts, stops and is the socket runtime of one agent.

  start NAME        start the agent's socket host and the session's terminal; returns when both are ready
  stop NAME|--all   stop every instance of the agent, or of every agent
  status [NAME]     say what runs
  ps [NAME]         a tree of the agents with their processes, uptime and memory
  prompt NAME       the system message that a run would get now
  tools NAME        the tools that the agent may run now
  env NAME          the environment that its processes start with
  serve NAME        be the socket host, in the foreground
  terminal NAME     keep the session's terminal, in the foreground

  --session S       the session, "default" unless given
  --workspace DIR   the directory that becomes /workspace, the current one unless given
  --no-default-workspace
                    no /workspace at all; processes start in /home/agent unless --cwd says otherwise
  --cwd DIR         where processes start, as the agent sees it, instead of what the control cwd says
  --mount S:T[:M]   show host directory or file S at T, M "ro" (unless given) or "rw"; may be repeated. A line of the
                    agent's mount control must cover S, and its policy must grant mount:T
  -- COMMAND [ARG…] the terminal runs this tool of the agent through tsh, instead of tsh as a shell
  --root DIR        the root of the mount, else from the mount's receipt
  --source DIR      the store, else from the mount's receipt
  --runtime DIR     the runtime directory, else $XDG_RUNTIME_DIR/cortexfs
  --supervisor W    who keeps the instances: "systemd" (transient units of your user manager) or "direct";
                    systemd where a user manager answers, unless given
  --json            reports and errors as JSON
  --help, --version

Exit codes: 0 success (also when there was nothing to do), 1 failure, 2 bad arguments or input,
13 permission refused, 69 service unavailable, 70 internal error, 130 interrupted.
`;

const argv = process.argv.slice(2);
const { options: own } = untilCommand(argv);

if (own.includes('--version')) {
  process.stdout.write(`agent-host ${VERSION}\n`);
} else if (argv.length === 0 || own.includes('--help') || own.includes('-h')) {
  process[argv.length === 0 ? 'stderr' : 'stdout'].write(USAGE);
  process.exitCode = argv.length === 0 ? 2 : 0;
} else {
  void run();
}

async function run(): Promise<void> {
  const { dispatch } = await import('./cli/dispatch.ts');
  process.exitCode = await dispatch(argv);
}
