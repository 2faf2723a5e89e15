import { text as streamText } from 'node:stream/consumers';
import type { Invocation } from '../command/command.ts';
import { abiPath } from '../place/abi-path.ts';
import { liveRoot } from '../place/root.ts';
import { writeFileOf } from '../place/write-control.ts';

/** `ctx set PATH VALUE|-`: a VALUE gets its final newline; `-` takes standard input as it is. The empty VALUE empties the file. */
export async function run({ operands, root }: Invocation): Promise<number> {
  const [typed = '', value = ''] = operands;
  const place = liveRoot(root);
  const content = value === '-' ? await streamText(process.stdin) : withNewline(value);
  await writeFileOf(place, abiPath(place, typed), content);
  return 0;
}

function withNewline(value: string): string {
  return value === '' || value.endsWith('\n') ? value : `${value}\n`;
}
