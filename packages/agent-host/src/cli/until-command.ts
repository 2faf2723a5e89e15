/** The words before `--` are ours, those after it belong to what is started, whatever they look like. */
export function untilCommand(argv: readonly string[]): {
  options: readonly string[];
  command: readonly string[];
} {
  const end = argv.indexOf('--');
  return end < 0
    ? { options: argv, command: [] }
    : { options: argv.slice(0, end), command: argv.slice(end + 1) };
}
