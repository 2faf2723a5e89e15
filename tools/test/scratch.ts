import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { FrameTool } from '../tool.ts';

/** A fresh directory of the test's own, removed when the test ends. */
export function scratch(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'ctx-tools-'));
  t.teardown(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs a tool in this process and returns the texts of its one result. */
export async function call<Input>(tool: FrameTool<Input>, input: Input): Promise<string[]> {
  if (!tool.check(input)) throw new Error(`not valid input: ${JSON.stringify(tool.check.errors)}`);
  const results: string[][] = [];
  await tool.run(input, { message: (...texts) => results.push(texts) });
  if (results.length !== 1) throw new Error(`${results.length} results`);
  return results[0]!;
}

/** The environment of an agent's process, for the length of the test. */
export function asAgent(t: Test): void {
  const before = process.env['CTX_AGENT'];
  process.env['CTX_AGENT'] = 'coder';
  t.teardown(() => {
    if (before === undefined) delete process.env['CTX_AGENT'];
    else process.env['CTX_AGENT'] = before;
  });
}
