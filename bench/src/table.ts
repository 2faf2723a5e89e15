/** One line of a benchmark: what was done, what it is measured against, what came out and what is wanted. */
export interface Row {
  readonly work: string;
  readonly ours: string;
  readonly against: string;
  readonly result: string;
  readonly goal: string;
}

const COLUMNS = ['work', 'ours', 'against', 'result', 'goal'] as const;

export function printTable(name: string, rows: readonly Row[]): void {
  const lines = [Object.fromEntries(COLUMNS.map((column) => [column, column])) as unknown as Row, ...rows];
  const widths = COLUMNS.map((column) => Math.max(...lines.map((line) => line[column].length)));
  process.stdout.write(`\n${name}\n`);
  for (const line of lines)
    process.stdout.write(
      `  ${COLUMNS.map((column, i) => line[column].padEnd(widths[i]!))
        .join('  ')
        .trimEnd()}\n`,
    );
}
