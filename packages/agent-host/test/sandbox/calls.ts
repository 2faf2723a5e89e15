import { join } from 'node:path';
import { architectureOf } from '../../src/sandbox/seccomp/architecture.ts';
import type { CallName } from '../../src/sandbox/seccomp/calls.ts';
import type { TestSite } from '../site.ts';
import { runScript } from './run.ts';

export type Call = readonly [CallName | number, ...(number | string)[]];

/**
 * Makes system calls in the sandbox, directly and not through a library; answers the errno name of each, or `ok`.
 * A text argument is passed by address.
 */
export async function attempt(
  site: TestSite,
  calls: Readonly<Record<string, Call>>,
): Promise<Record<string, string>> {
  const { numbers } = architectureOf(process.arch);
  const numbered = Object.entries(calls).map(([label, [call, ...args]]) => [
    label,
    typeof call === 'number' ? call : numbers[call],
    args,
  ]);
  const program = `
    const koffi = require(${JSON.stringify(join(site.base, 'packages/ctxterm/node_modules/koffi'))});
    const { getSystemErrorName } = require('node:util');
    const syscall = koffi.load(null).func('long syscall(long n, intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e)');
    const results = {};
    const kept = [];
    for (const [label, number, args] of ${JSON.stringify(numbered)}) {
      const words = [0, 1, 2, 3, 4].map((index) => {
        const value = args[index] ?? 0;
        if (typeof value === 'number') return value;
        const bytes = Buffer.from(value + '\\0');
        kept.push(bytes);
        return koffi.address(bytes);
      });
      const result = syscall(number, ...words);
      results[label] = result < 0 ? getSystemErrorName(-koffi.errno()) : 'ok';
    }
    console.log(JSON.stringify(results));
  `;
  const { stdout, stderr } = await runScript(site, `exec "$CTX_NODE" -e "$CTX_PROGRAM"`, {
    env: { CTX_NODE: process.execPath, CTX_PROGRAM: program },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
