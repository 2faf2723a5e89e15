import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { FrameDecoder } from '@cortexfs/abi/jsonl';
import { parseToolFrame, ToolOutput } from '@cortexfs/abi/tool-io';
import type { Shell } from '../shell.ts';
import type { Tool } from '../tool/tool.ts';
import { start } from './execute.ts';

/** Output of a tool that is kept, in bytes; the rest is read and dropped. */
export const OUTPUT_LIMIT = 16 * 1024 * 1024;
const COMPLAINTS_LIMIT = 16 * 1024;

export interface Captured {
  code: number;
  output: string;
  complaints: string;
  /** What the tool itself reported in an error frame. */
  error?: CortexError;
}

/** Runs a tool without a terminal and without input, and gathers what it says. */
export async function execute(shell: Shell, tool: Tool, args: readonly string[]): Promise<Captured> {
  const { child, ended } = start(shell, tool, args, ['ignore', 'pipe', 'pipe']);
  const output = new Beginning(OUTPUT_LIMIT);
  const complaints = new Beginning(COMPLAINTS_LIMIT);
  child.stdout!.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr!.on('data', (chunk: Buffer) => complaints.add(chunk));
  const code = await ended;
  return { code, complaints: complaints.text, ...understood(output) };
}

/** The text of a tool's frames; output that is no frames is taken as it is. */
function understood(output: Beginning): { output: string; error?: CortexError } {
  const result = framesOf(output.bytes);
  if (result === undefined) return { output: output.text };
  if (result.status === 'ok') return { output: result.content };
  const message = result.content.replace(/^[A-Z0-9]+: /, '');
  return { output: '', error: new CortexError(result.code ?? 'EIO', message, { layer: 'tool' }) };
}

function framesOf(bytes: Buffer) {
  if (bytes[0] !== 0x7b) return undefined;
  const output = new ToolOutput();
  try {
    for (const decoded of new FrameDecoder().push(bytes)) {
      if (!decoded.ok) return undefined;
      output.add(parseToolFrame(decoded.value));
    }
  } catch (error) {
    if (fromNodeError(error, {}).code === 'EINVAL') return undefined;
    throw error;
  }
  return output.result();
}

/** The first bytes of a stream, up to a limit. */
class Beginning {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, Math.max(0, this.#limit - this.#size));
    if (kept.length > 0) this.#chunks.push(kept);
    this.#size += kept.length;
    this.#dropped += chunk.length - kept.length;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    const cut = this.#dropped > 0 ? `\n[${this.#dropped} more bytes were cut off]\n` : '';
    return this.bytes.toString() + cut;
  }
}
