import { CortexError } from '@cortexfs/abi/errors';
import { type DecodedFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import type { SandboxExit, SandboxedProcess } from '../../sandbox/spec.ts';

/** How much of a process's error output is kept: its end. */
const STDERR_BYTES = 4096;

export interface OutputWatch {
  /** The one thing that the process reads. */
  readonly input: Uint8Array;
  /** Milliseconds without output after which the process is ended. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** Throws to refuse the output: the process group is ended and the error is the result. */
  bytes(count: number): void;
  frame(frame: DecodedFrame): void;
}

export interface ProcessEnd {
  readonly exit: SandboxExit;
  /** The end of what it wrote to its error output. */
  readonly stderr: string;
}

/** Feeds a process its input and reads its frames until it has ended with all its children. */
export async function watchProcess(process: SandboxedProcess, watch: OutputWatch): Promise<ProcessEnd> {
  const stderr = keepTail(process);
  const fault = (await readFrames(process, watch)) ?? (await lingers(process, watch));
  const exit =
    fault === undefined && !watch.signal.aborted ? await process.exited : await process.terminate();
  if (watch.signal.aborted) throw new CortexError('ECANCELED', 'the run was cancelled');
  if (fault !== undefined) throw fault;
  return { exit, stderr: stderr() };
}

/** Resolves at the end of the output, with the reason when it was cut off. */
function readFrames(process: SandboxedProcess, watch: OutputWatch): Promise<unknown> {
  return new Promise((resolve) => {
    const { stdin, stdout } = process;
    const decoder = new FrameDecoder();
    const silence = setTimeout(() => finish(silent(watch.silenceMs)), watch.silenceMs);
    const cancelled = () => finish(undefined);
    const finish = (fault: unknown) => {
      clearTimeout(silence);
      watch.signal.removeEventListener('abort', cancelled);
      stdout?.removeAllListeners('data').destroy();
      resolve(fault);
    };
    watch.signal.addEventListener('abort', cancelled);
    if (watch.signal.aborted) cancelled();
    stdout?.on('data', (chunk: Buffer) => {
      silence.refresh();
      try {
        watch.bytes(chunk.length);
        for (const frame of decoder.push(chunk)) watch.frame(frame);
      } catch (error) {
        finish(error);
      }
    });
    stdout?.on('error', finish);
    stdout?.on('end', () => finish(decoder.end() > 0 ? unterminated() : undefined));
    // A process that ends without reading its input is judged by its output alone.
    stdin?.on('error', () => {});
    stdin?.end(watch.input);
  });
}

/** After the output has ended the process has the same time to end itself. */
async function lingers(process: SandboxedProcess, watch: OutputWatch): Promise<CortexError | undefined> {
  const { signal, silenceMs } = watch;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), silenceMs);
  const stop = AbortSignal.any([signal, late.signal]);
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([process.exited, stopped]);
  clearTimeout(timer);
  return late.signal.aborted ? silent(silenceMs) : undefined;
}

function keepTail(process: SandboxedProcess): () => string {
  let tail = Buffer.alloc(0);
  process.stderr?.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_BYTES);
  });
  process.stderr?.resume();
  return () => tail.toString('utf8');
}

function silent(milliseconds: number): CortexError {
  return new CortexError('EINVAL', `no output for ${milliseconds / 1000} s`, { layer: 'sandbox' });
}

function unterminated(): CortexError {
  return new CortexError('EINVAL', 'the last line of the output has no newline', { layer: 'frame' });
}
