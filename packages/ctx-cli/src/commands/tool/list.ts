import { readdirSync } from 'node:fs';
import { objectStatus } from '@cortexfs/abi/controls/object-status';
import { description as descriptionCodec } from '@cortexfs/abi/controls/tool/description';
import { CortexError } from '@cortexfs/abi/errors';
import { isObjectName } from '@cortexfs/abi/names';
import { oneLine } from '@cortexfs/abi/terminal-text';
import type { Invocation } from '../../command/command.ts';
import { fileAt } from '../../place/abi-path.ts';
import { loadControl } from '../../place/control-text.ts';
import { liveRoot } from '../../place/root.ts';
import { toolDirectories } from '../which.ts';

/** `ctx tool list`: the tools that a person finds, with what they are for. */
export async function run({ root, json }: Invocation): Promise<number> {
  const place = liveRoot(root);
  const tools = toolDirectories().flatMap((directory) => toolsIn(place, directory));
  if (json) process.stdout.write(`${JSON.stringify(tools)}\n`);
  else
    for (const { path, status, description } of tools)
      process.stdout.write(`${path.padEnd(28)} ${status.padEnd(12)} ${oneLine(description)}\n`);
  return 0;
}

function toolsIn(root: string, directory: string) {
  return namesIn(fileAt(root, directory)).map((name) => {
    const path = `${directory}/${name}`;
    const [description, status] = [
      loadControl(root, `${path}.d/description`, descriptionCodec),
      loadControl(root, `${path}.d/status`, objectStatus),
    ];
    return {
      name,
      path,
      status: status instanceof CortexError ? 'unknown' : status,
      description: description instanceof CortexError ? '' : description.trim(),
    };
  });
}

/** Nobody has to have tools of their own. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter(isObjectName).sort();
  } catch {
    return [];
  }
}
