import { open } from 'node:fs/promises';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { parseObjectName, parseSessionName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { findPlace } from '@cortexfs/linux/place';
import { type Invocation, text } from '../../command/command.ts';

/** `ctx agent log NAME`: what its host, or with `--terminal S` the terminal of a session, told; the end of it with `--last N`. */
export async function run(invocation: Invocation): Promise<number> {
  const agent = parseObjectName(invocation.operands[0] ?? '');
  const tree = runtimeTree(findPlace(invocation.root).runtime);
  const terminal = text(invocation, 'terminal');
  const path =
    terminal === undefined ? tree.agentLog(agent) : tree.terminalLog(agent, parseSessionName(terminal));
  const most = Number(text(invocation, 'last') ?? Number.POSITIVE_INFINITY);
  if (!(most >= 1)) throw new CortexError('EINVAL', 'agent log: --last takes a number from 1');
  const file = await open(path).catch((error) => {
    const failure = fromNodeError(error, { path });
    if (failure.code !== 'ENOENT') throw failure;
    throw new CortexError('ENOENT', 'it has no log: it never ran', {
      path: `agent/${agent}`,
      layer: 'runtime',
      hint: `ctx agent start ${agent}`,
    });
  });
  try {
    const lines: string[] = [];
    for await (const line of file.readLines({ encoding: 'utf8' })) {
      lines.push(oneLine(line));
      if (lines.length > most) lines.shift();
    }
    if (invocation.json) process.stdout.write(`${JSON.stringify(lines)}\n`);
    else process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } finally {
    await file.close();
  }
  return 0;
}
