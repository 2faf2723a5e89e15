import { CortexError } from '@cortexfs/abi/errors';
import { loadTool } from '@cortexfs/tools/registry.ts';
import type { Command, FrameTool, ProgramTool, Tool } from '@cortexfs/tools/tool.ts';
import { currentRun } from '../run-id.ts';
import { readInput } from '../stdio/input.ts';
import { writeAll } from '../stdio/output.ts';
import { isTerminal } from '../stdio/terminal.ts';
import { ToolFrames } from './frames.ts';
import { checkInput, parseToolInput } from './input.ts';

/** Runs a built-in tool with its arguments or standard input (docs/tools.md). Resolves to the exit code. */
export async function runTool(name: string, args: readonly string[]): Promise<number> {
  const tool = await toolFor(name);
  if (tool.kind === 'terminal') return await takeOver(tool.command(args));
  if (args.length === 1 && args[0] === '--help') return printUsage(1, name, tool, 0);
  if (args.length === 0 && (await isTerminal(0))) return printUsage(2, name, tool, 2);
  return await runChecked(tool, args);
}

async function toolFor(name: string): Promise<Tool> {
  const tool = await loadTool(name);
  if (tool !== undefined) return tool;
  throw new CortexError('ENOTSUP', 'is neither a tool of this runner nor an installed one', {
    path: `tool/${name}`,
    layer: 'tool',
    hint: 'ctx object install',
  });
}

/** From here on standard output is frames, errors too. */
async function runChecked(tool: FrameTool | ProgramTool, args: readonly string[]): Promise<number> {
  const frames = new ToolFrames(currentRun());
  try {
    const input = inputOf(tool, args);
    if (tool.kind === 'program') return await takeOver(tool.command(input));
    frames.start();
    await tool.run(input, frames);
    return frames.done();
  } catch (err) {
    return frames.fail(err);
  }
}

function inputOf(tool: FrameTool | ProgramTool, args: readonly string[]): unknown {
  const inWords =
    tool.kind === 'program' && args.length > 0 && !(args.length === 1 && args[0]!.startsWith('{'));
  if (inWords) return checkInput(tool, tool.fromWords(args));
  return parseToolInput(tool, args.length > 0 ? args.join(' ') : readInput());
}

async function takeOver({ program, args }: Command): Promise<number> {
  return await (await import('../stdio/take-over.ts')).takeOver(program, args);
}

function printUsage(fd: number, name: string, tool: FrameTool | ProgramTool, exitCode: number): number {
  writeAll(fd, Buffer.from(`${name}: ${tool.usage}`));
  return exitCode;
}
