import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import type { JsonObject } from '@cortexfs/abi/json';
import { parseToolFrame, ToolOutput, type ToolResult } from '@cortexfs/abi/tool-io';
import { exitError } from './exit-error.ts';
import { watchProcess } from './process-output.ts';
import type { StartedTool } from './started-ahead.ts';

/** Longest that a tool may stay silent; tools with an own time-out end before it. */
const TOOL_SILENCE_MS = 660_000;
/** Most bytes that one tool call may write. */
const MAX_TOOL_BYTES = 16 * 1024 * 1024;

export interface ToolRequest {
  /** The tool's executable as the sandbox sees it. */
  readonly path: string;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly start: () => Promise<StartedTool>;
}

/** Runs one tool object in the sandbox with its arguments on standard input. Only a cancellation is thrown. */
export async function runTool(request: ToolRequest): Promise<ToolResult> {
  const { path, signal } = request;
  signal.throwIfAborted();
  const output = new ToolOutput();
  let bytes = 0;
  try {
    const { process, order } = await request.start();
    const end = await watchProcess(process, {
      input: Buffer.from(`${order}${JSON.stringify(request.arguments)}\n`),
      silenceMs: TOOL_SILENCE_MS,
      signal,
      bytes: (count) => {
        bytes += count;
        if (bytes > MAX_TOOL_BYTES) throw new CortexError('EMSGSIZE', `output over ${MAX_TOOL_BYTES} bytes`);
      },
      frame: (frame) => {
        if (!frame.ok) throw frame.error;
        output.add(parseToolFrame(frame.value));
      },
    });
    const result = output.result();
    // Without frames there is only the exit code to tell why: the sandbox or the runner refused.
    const failure = result.code === 'EPROTO' ? exitError(path, end, 'tool') : undefined;
    return failure === undefined ? result : errorResult(failure);
  } catch (error) {
    if (signal.aborted) throw error;
    return errorResult(fromNodeError(error, { layer: 'tool' }));
  }
}

export function errorResult(error: CortexError): ToolResult {
  const where = error.path === undefined ? '' : `${error.path}: `;
  return { status: 'error', content: `${error.code}: ${where}${error.message}`, code: error.code };
}
