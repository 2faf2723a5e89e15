import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { below, MAX_FILE_BYTES, type Match, type Search, shortened } from './match.ts';

/** The same files as the search without it looks at: no hidden ones, no links, no `node_modules`, ignore files not heeded. */
const OPTIONS = [
  '--no-config',
  '--no-messages',
  '--no-ignore',
  '--color=never',
  '--no-heading',
  '--with-filename',
  '--line-number',
  '--null',
  '--sort=path',
  `--max-filesize=${MAX_FILE_BYTES}`,
  '--glob=!node_modules',
];

/** The search by ripgrep below a directory. EINVAL when it refuses the expression or the glob. */
export async function ripgrep(program: string, search: Search): Promise<Match[]> {
  const glob = search.glob === undefined ? [] : [`--glob=${search.glob}`];
  const child = spawn(program, [...OPTIONS, ...glob, `--regexp=${search.pattern}`, '--', './'], {
    cwd: search.place,
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString('utf8')).slice(0, 4096);
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const matches: Match[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, path, number, text] = /^\.\/([^\0]*)\0(\d+):(.*)$/s.exec(line) ?? [];
      // What is no such line says that a binary file matched.
      if (path === undefined || text === undefined) continue;
      matches.push({ file: below(search.shown, path), line: Number(number), text: shortened(text) });
      if (matches.length >= search.most) break;
    }
    child.kill();
    const [code] = await exited;
    if (code === 2 && matches.length === 0 && complaints !== '') throw refused(complaints);
    return matches;
  } catch (error) {
    throw fromNodeError(error, { layer: 'tool' });
  }
}

function refused(complaints: string): CortexError {
  const why = complaints
    .split('\n')
    .findLast((line) => line.startsWith('error: '))
    ?.slice('error: '.length);
  return new CortexError('EINVAL', `not a regular expression: ${oneLine(why ?? complaints.trim())}`, {
    layer: 'tool',
  });
}
