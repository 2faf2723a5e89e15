import { oneLine } from '@cortexfs/abi/terminal-text';

/** What a command has to say: for people as lines, for programs as one JSON document. */
export interface Report {
  lines: readonly string[];
  json: object;
}

/** Prints it; the text of lines is made safe for a terminal. */
export function print({ lines, json }: Report, asJson: boolean): void {
  const text = asJson ? [JSON.stringify(json)] : lines.map(indented);
  process.stdout.write(text.map((line) => `${line}\n`).join(''));
}

function indented(line: string): string {
  const [indent = ''] = /^ */.exec(line)!;
  return indent + oneLine(line.slice(indent.length));
}
