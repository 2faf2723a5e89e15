import { CortexError } from '@cortexfs/abi/errors';
import { loadTool } from '@cortexfs/tools/registry.ts';
import type { FrameTool } from '@cortexfs/tools/tool.ts';
import { currentRun } from '../run-id.ts';
import { readInput } from '../stdio/input.ts';
import { writeAll } from '../stdio/output.ts';
import { isTerminal } from '../stdio/terminal.ts';
import { ToolFrames } from './frames.ts';
import { parseToolInput } from './input.ts';

/** Runs a built-in tool with its arguments or standard input (docs/tools.md). Resolves to the exit code. */
export async function runTool(name: string, args: readonly string[]): Promise<number> {
  const tool = await loadTool(name);
  if (tool === undefined) {
    throw new CortexError('ENOTSUP', 'is not a tool of this runner; installed plugins do not run yet', {
      path: `tool/${name}`,
      layer: 'tool',
    });
  }
  if (tool.kind === 'terminal') return await tool.run(args);
  if (args.length === 1 && args[0] === '--help') return printUsage(1, name, tool, 0);
  if (args.length === 0 && (await isTerminal(0))) return printUsage(2, name, tool, 2);
  return await runFrames(tool, args);
}

async function runFrames(tool: FrameTool, args: readonly string[]): Promise<number> {
  const frames = new ToolFrames(currentRun());
  frames.start();
  try {
    const input = parseToolInput(tool, args.length > 0 ? args.join(' ') : readInput());
    await tool.run(input, frames);
    return frames.done();
  } catch (err) {
    return frames.fail(err);
  }
}

function printUsage(fd: number, name: string, tool: FrameTool, exitCode: number): number {
  writeAll(fd, Buffer.from(`${name}: ${tool.usage}`));
  return exitCode;
}
