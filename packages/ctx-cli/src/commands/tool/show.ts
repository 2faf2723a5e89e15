import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import type { Invocation } from '../../command/command.ts';
import { controlText } from '../../place/control-text.ts';
import { liveRoot } from '../../place/root.ts';
import { findTool } from './find.ts';

const SHOWN = ['description', 'schema', 'cap', 'policy', 'status', 'log'] as const;

/** `ctx tool show NAME`: its controls. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const place = liveRoot(root);
  const path = findTool(place, parseObjectName(operands[0] ?? ''));
  const controls = Object.fromEntries(SHOWN.map((name) => [name, textOr(place, `${path}.d/${name}`)]));
  if (json) process.stdout.write(`${JSON.stringify({ path, ...controls })}\n`);
  else process.stdout.write(`${path}\n${Object.entries(controls).map(section).join('')}`);
  return 0;
}

function section([name, text]: [string, string | null]): string {
  const lines = (text ?? '').trimEnd();
  return lines === '' ? '' : `\n${name}\n${lines.replace(/^/gm, '  ')}\n`;
}

function textOr(root: string, path: string): string | null {
  try {
    return controlText(root, path);
  } catch (error) {
    if (error instanceof CortexError && error.code === 'ENOENT') return null;
    throw error;
  }
}
