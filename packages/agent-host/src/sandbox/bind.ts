import type { Located } from './identity.ts';
import type { BindStep } from './step.ts';

/** Shows what was located, and has it checked before the program starts. */
export function bind({ path, identity }: Located, target: string, mode: 'ro' | 'rw'): BindStep {
  return { kind: 'bind', source: path, target, mode, identity };
}
