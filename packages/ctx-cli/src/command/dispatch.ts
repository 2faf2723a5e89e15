import { CortexError, errorJson, errorLines } from '@cortexfs/abi/errors';
import type { CommandSpec } from './command.ts';
import { commands } from './table.ts';

/** Runs one `ctx` command line and resolves with its exit code; every refusal is one line and a hint on standard error. */
export async function dispatch(argv: readonly string[]): Promise<number> {
  try {
    return await runCommand(argv);
  } catch (error) {
    return report(error, argv.includes('--json'));
  }
}

async function runCommand(typed: readonly string[]): Promise<number> {
  const argv = commandFirst(typed);
  if (argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') return printOverview();
  if (isGroup(argv[0]) && (argv[1] === '--help' || argv[1] === '-h')) return printOverview(argv[0]);
  const { spec, rest } = select(argv);
  if (!spec.raw && (rest.includes('--help') || rest.includes('-h'))) return printUsage(spec);
  const { parseCommandLine } = await import('./parse.ts');
  const invocation = parseCommandLine(spec, rest);
  const { run } = await spec.load();
  return run(invocation);
}

/** Common options may also stand before the command, as in `ctx --root DIR ls`; they then follow its words. */
function commandFirst(argv: readonly string[]): readonly string[] {
  let end = 0;
  for (let option = argv[end]; option?.startsWith('--'); option = argv[end]) {
    if (option === '--root') end += 2;
    else if (option === '--json' || option === '--no-color' || option.startsWith('--root=')) end += 1;
    else return argv;
  }
  const words = argv.slice(end);
  const count = isGroup(words[0]) ? 2 : 1;
  return [...words.slice(0, count), ...argv.slice(0, end), ...words.slice(count)];
}

/** The command whose words begin the line; the most words win. Without a word it is the short status. */
function select(argv: readonly string[]): { spec: CommandSpec; rest: readonly string[] } {
  const words = argv[0] === undefined || argv[0].startsWith('-') ? ['status', ...argv] : argv;
  for (const count of [2, 1]) {
    const spec = commands.find((candidate) => candidate.words === words.slice(0, count).join(' '));
    if (spec) return { spec, rest: words.slice(count) };
  }
  throw unknownCommand(words);
}

/** Whether a word begins commands of two words, as "agent". */
function isGroup(word: string | undefined): word is string {
  return word !== undefined && commands.some((spec) => spec.words.startsWith(`${word} `));
}

function unknownCommand(words: readonly string[]): CortexError {
  const group = commands.filter((spec) => spec.words.startsWith(`${words[0]} `)).map((spec) => spec.words);
  const named = group.length > 0 ? words.slice(0, 2).join(' ') : words[0];
  const hint = group.length > 0 ? `one of: ${group.join(', ')}` : 'ctx --help lists the commands';
  return new CortexError('EINVAL', `${named}: no such command`, { hint });
}

async function printOverview(group?: string): Promise<number> {
  const { overview, groupOverview } = await import('./usage.ts');
  process.stdout.write(group === undefined ? overview() : groupOverview(group));
  return 0;
}

async function printUsage(spec: CommandSpec): Promise<number> {
  const { usageOf } = await import('./usage.ts');
  process.stdout.write(usageOf(spec));
  return 0;
}

function report(error: unknown, json: boolean): number {
  if (error instanceof CortexError) {
    process.stderr.write(json ? `${JSON.stringify(errorJson(error))}\n` : errorLines('ctx', error));
    return error.exitCode;
  }
  process.stderr.write(`ctx: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 70;
}
