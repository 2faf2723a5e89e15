import type { RequestContext } from '../file-system.ts';
import { projectedKey } from '../projection/projected.ts';
import { identityOf } from '../store/identity.ts';
import { commitControl } from './commit.ts';
import { ControlFile } from './file.ts';
import type { ControlPlace } from './place.ts';

/** Nodes of one version at once: as many as there are writers in place, and one for all others. */
const MOST_TWINS = 4;

/** Which version of a control is in the store; empty when there is none. */
export function versionOf(place: ControlPlace): string {
  const stat = place.find();
  return stat === undefined ? '' : identityOf(stat);
}

/** The part of a node's key that tells versions, and nodes of one version, apart. */
export const whichOf = (version: string, twin: number) => `@${version}~${twin}`;

/** The node of the version that is there now, never one on which somebody writes. */
export function currentControl<T extends ControlFile>(
  place: ControlPlace,
  type: new (place: ControlPlace, version: string, twin: number) => T,
): T {
  const version = versionOf(place);
  let node = new type(place, version, 0).known();
  for (let twin = 1; twin < MOST_TWINS && version !== '' && node.isBusy; twin++)
    node = new type(place, version, twin).known();
  return node;
}

/** Replaces a control, written through the node `by` or by rename. Whoever has found the old version keeps it. */
export function replaceControl(
  place: ControlPlace,
  context: RequestContext,
  bytes: Buffer,
  by?: ControlFile,
): void {
  const leave = leaveCurrent(place, by);
  commitControl(place, context, bytes);
  leave();
  by?.becomeCurrent();
}

/** For each node of the version that is about to go, what has to be done once it has gone. */
export function leaveCurrent(place: ControlPlace, except?: ControlFile): () => void {
  const nodes = knownOf(place).filter((node) => node !== except && !node.isBusy);
  const done = nodes.map((node) => node.prepareToLeave());
  return () => {
    for (const each of done) each();
  };
}

function knownOf(place: ControlPlace): ControlFile[] {
  const version = versionOf(place);
  return Array.from({ length: MOST_TWINS }, (_, twin) =>
    place.scope.world.nodes.find(projectedKey(place.scope, place.path, whichOf(version, twin))),
  ).filter((node) => node instanceof ControlFile);
}
