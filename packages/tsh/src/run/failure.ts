import type { ErrnoName } from '@cortexfs/abi/errno';
import { isErrnoName } from '@cortexfs/abi/errno';
import { CortexError } from '@cortexfs/abi/errors';

const CODES: Readonly<Record<number, ErrnoName>> = {
  2: 'EINVAL',
  13: 'EACCES',
  69: 'EHOSTDOWN',
  127: 'ENOENT',
};

/** The error that an exit code stands for, told with what the command complained. */
export function failureOf(exitCode: number, complaints: string): CortexError {
  const lines = complaints.trim().split('\n');
  const hint = lines.find((line) => line.startsWith('hint: '))?.slice('hint: '.length);
  const said = lines
    .filter((line) => !line.startsWith('hint: '))
    .join('\n')
    .replace(/^tsh: /, '');
  const [, named, rest] = /^([A-Z][A-Z0-9]+): ([\s\S]*)$/.exec(said) ?? [];
  if (isErrnoName(named)) return new CortexError(named, rest!, { layer: 'tool', hint });
  const code = CODES[exitCode] ?? (exitCode > 128 ? 'ECANCELED' : 'EIO');
  return new CortexError(code, said || `exit code ${exitCode}`, { layer: 'tool', hint });
}
