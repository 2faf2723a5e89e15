import type { MountEntry } from '../../controls/mount.ts';
import { SANDBOX } from '../../paths/sandbox.ts';
import { allows } from '../../policy.ts';
import type { Attenuated, AttenuationRequest, Refusal } from '../attenuation.ts';
import { mountFactsAt } from '../mount-table.ts';

/**
 * Each mount of a child shows a part of what a mount of its parent shows, in a mode that is not wider. What the parent's
 * policy does not grant it does not see, so nothing follows from such a line.
 */
export function mountRefusals({ parent, child, granted }: AttenuationRequest): Refusal[] {
  const seen = seenBy(parent);
  const given = granted?.mounts ?? [];
  const lines = child.mount.flatMap((line) => {
    if (given.some((one) => isSame(one, line)) || isOwnPlace(child, line)) return [];
    const reason = faultOf(line, seen);
    return reason === undefined ? [] : [`${line.source} at ${line.target} ${line.mode}: ${reason}`];
  });
  return [...lines, ...viewFaults(parent.mount, child.mount)].map((reason) => ({
    dimension: 'mount',
    reason,
  }));
}

/** What every agent has of /ctx, unless its table says something else. */
const VIEW: MountEntry = { source: SANDBOX.root, target: SANDBOX.root, mode: 'ro', options: ['rbind'] };

function seenBy(parent: Attenuated): MountEntry[] {
  const lines = parent.mount.filter((line) => isGranted(parent, line));
  return lines.some(isView) ? lines : [VIEW, ...lines];
}

function faultOf(line: MountEntry, seen: readonly MountEntry[]): string | undefined {
  const covering = nearest(line.source, seen);
  if (covering === undefined) return 'the parent does not see it';
  if (line.mode === 'rw' && covering.mode === 'ro') return `the parent sees ${covering.source} read-only`;
  if (covering.options.includes('noexec') && !line.options.includes('noexec'))
    return `the parent sees ${covering.source} noexec`;
  if (line.options.includes('rbind') && !covering.options.includes('rbind'))
    return `the parent sees ${covering.source} without what is mounted below it`;
  const narrower = seen.find((one) => below(one.source, line.source) && one.mode === 'ro');
  if (line.mode === 'rw' && narrower !== undefined) return `the parent sees ${narrower.source} read-only`;
  const hidden = hiddenPlaces(seen).find((place) => within(place, line.source) || within(line.source, place));
  return hidden === undefined ? undefined : `${hidden} is hidden from the parent`;
}

/** Lines about /ctx take something away, so that a child needs those of its parent. */
function viewFaults(parent: readonly MountEntry[], child: readonly MountEntry[]): string[] {
  const targets = [...parent, ...child]
    .map(({ target }) => target)
    .filter((target) => within(SANDBOX.root, target));
  return [...new Set(targets)].flatMap((target) => {
    const [had, asked] = [parent, child].map((table) => mountFactsAt([VIEW, ...table], target));
    if (had!.noexec && !asked!.noexec) return [`${target}: the parent may execute nothing there`];
    return asked!.writable && !had!.writable ? [`${target}: the parent sees it read-only`] : [];
  });
}

/** The line with the longest source decides; of two with one source the narrower. */
function nearest(source: string, seen: readonly MountEntry[]): MountEntry | undefined {
  return seen
    .filter((one) => within(one.source, source))
    .sort(
      (a, b) => b.source.length - a.source.length || Number(a.mode === 'rw') - Number(b.mode === 'rw'),
    )[0];
}

/** Places below a mounted source that the parent does not see, because it sees another mount there. */
function hiddenPlaces(seen: readonly MountEntry[]): string[] {
  return seen.flatMap((under) =>
    seen
      .filter((over) => below(over.target, under.target))
      .map((over) => ({ over, place: under.source + over.target.slice(under.target.length) }))
      .filter(({ over, place }) => over.source !== place)
      .map(({ place }) => place),
  );
}

function isGranted({ policy, label: { subject } }: Attenuated, line: MountEntry): boolean {
  if (isView(line)) return true;
  const name = line.target.slice(1).replaceAll('/', '.');
  return allows(policy, subject, 'mount', name, line.mode === 'rw' ? 'write' : 'read');
}

function isView({ source, target }: MountEntry): boolean {
  return source === SANDBOX.root && target === SANDBOX.root;
}

/** Its home and its own empty /tmp, which lines may describe. */
function isOwnPlace({ name, owner }: Attenuated, { source, target }: MountEntry): boolean {
  if (target === '/tmp') return source === '/tmp';
  return target === SANDBOX.home && source === `/ctx/home/${owner}/agent/${name}`;
}

function isSame(a: MountEntry, b: MountEntry): boolean {
  return (
    a.source === b.source &&
    a.target === b.target &&
    a.mode === b.mode &&
    [...a.options].sort().join() === [...b.options].sort().join()
  );
}

/** At or below. */
function within(directory: string, path: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

function below(path: string, directory: string): boolean {
  return path !== directory && within(directory, path);
}
