import { CortexError } from '@cortexfs/abi/errors';
import type { Invocation } from '../command/command.ts';
import { candidates } from '../completion/candidates.ts';
import { scripts } from '../completion/scripts.ts';

/** `ctx completion bash|zsh|fish`: the shell's completion; `words` is what those ask: candidates for the last of the given words. */
export async function run({ operands }: Invocation): Promise<number> {
  const [shell = '', ...words] = operands;
  if (shell === 'words') {
    process.stdout.write(
      candidates(words)
        .map((word) => `${word}\n`)
        .join(''),
    );
    return 0;
  }
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new CortexError('EINVAL', `no completion for ${JSON.stringify(shell)}`, {
      hint: 'bash, zsh or fish',
    });
  process.stdout.write(script);
  return 0;
}
