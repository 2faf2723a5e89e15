import { refuse } from '../refuse.ts';
import type { World } from '../world.ts';

/** Refuses a socket alias that does not lead below a runtime directory of its owner. */
export function requireRuntimeTarget(
  { runtimes }: Pick<World, 'runtimes'>,
  owner: number,
  path: string,
  target: string,
): void {
  if (runtimes.holds(owner, target)) return;
  throw refuse('EPERM', path, `a socket alias must lead below ${runtimes.placesOf(owner).join(' or ')}`);
}
