import type { Identity } from './identity.ts';

/** One stage of building the sandbox's file system, in bubblewrap's terms and in its order. */
export type Step =
  /** Arguments as they are. */
  | { kind: 'arguments'; words: readonly string[] }
  /** A file with this text, read-only for everybody. */
  | { kind: 'file'; target: string; text: string }
  /** A host path made visible. With `identity` it is checked to be the very same before the program starts. */
  | { kind: 'bind'; source: string; target: string; mode: 'ro' | 'rw'; identity?: Identity };

export const words = (...all: string[]): Step => ({ kind: 'arguments', words: all });

export type BindStep = Extract<Step, { kind: 'bind' }>;
export type FileStep = Extract<Step, { kind: 'file' }>;
