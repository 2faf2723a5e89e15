import { CortexError } from '@cortexfs/abi/errors';
import type { FileStep, Step } from './step.ts';

/** bubblewrap's arguments for `--args FD`, each ended by NUL. `descriptorOf` names the one that a file's text comes on. */
export function formatArguments(steps: readonly Step[], descriptorOf: (file: FileStep) => number): Buffer {
  const words = steps.flatMap((step) => wordsOf(step, descriptorOf));
  if (words.some((word) => word.includes('\0'))) {
    throw new CortexError('EINVAL', 'a path or value of the sandbox holds a NUL', { layer: 'sandbox' });
  }
  return Buffer.from(words.map((word) => `${word}\0`).join(''));
}

function wordsOf(step: Step, descriptorOf: (file: FileStep) => number): readonly string[] {
  switch (step.kind) {
    case 'arguments':
      return step.words;
    case 'file':
      return ['--perms', '0444', '--file', `${descriptorOf(step)}`, step.target];
    case 'bind':
      return [step.mode === 'ro' ? '--ro-bind' : '--bind', step.source, step.target];
  }
}
