import type { Codec } from '../codec.ts';

/**
 * Who may replace a control: its object's owner; uid 0 alone, because it says whose the object is or which Linux
 * identity it runs with; or nobody, because the runtime projects it.
 */
export type Writer = 'owner' | 'root' | 'nobody';

export interface ControlEntry {
  codec: Codec<unknown>;
  writer: Writer;
  /** What the mount shows follows the runtime, not the stored bytes. */
  dynamic: boolean;
  /** Without it the object is unusable. */
  required: boolean;
}

export function entry<T>(codec: Codec<T>, writer: Writer, need: 'required' | 'optional'): ControlEntry {
  return { codec: codec as Codec<unknown>, writer, dynamic: false, required: need === 'required' };
}

/** A control that the runtime shows and nobody writes. */
export function projection<T>(codec: Codec<T>): ControlEntry {
  return { codec: codec as Codec<unknown>, writer: 'nobody', dynamic: true, required: false };
}
