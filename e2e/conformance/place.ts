import type { Test } from 'tap';
import type { Place } from '../place.ts';
import { RawClient } from '../raw-client.ts';

/** One running `coder` that all rules share, each in sessions of its own. */
export interface Scene {
  readonly place: Place;
  readonly socket: string;
  open(t: Test): RawClient;
}

/** `coder` must run at the place. */
export function sceneAt(place: Place): Scene {
  const socket = `${place.runtime}/agent/coder.sock`;
  return { place, socket, open: (t) => new RawClient(t, socket) };
}

/** The sessions of the rules, which the agent's policy must grant. */
export const SESSIONS =
  'ask at-once cancel-request cancel-run cwd frames half ids left long nowhere one queue rest status tsh two whole x'.split(
    ' ',
  );

/** Every rule is a test of its own, named by what it says. */
export type Rules = readonly (readonly [rule: string, holds: (t: Test, scene: Scene) => Promise<void>])[];
