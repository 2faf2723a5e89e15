import { resolve } from 'node:path';
import { parseAbsolutePath } from '@cortexfs/abi/controls/absolute-path';
import type { MountEntry, MountMode } from '@cortexfs/abi/controls/mount';
import { CortexError } from '@cortexfs/abi/errors';
import { quoted } from '@cortexfs/abi/quote';
import { within } from './closure/closure.ts';
import type { Located } from './identity.ts';

/** What `--mount` of a start asks for (docs/instances.md, "What a start may choose"). */
export interface RequestedMount {
  /** Absolute path on the host. */
  source: string;
  /** Absolute path as the agent sees it; without a `:`. */
  target: string;
  mode: MountMode;
}

/** `SOURCE:TARGET[:ro|rw]`, read-only unless it says `rw`. A relative SOURCE is one of the current directory. EINVAL. */
export function parseRequestedMount(text: string): RequestedMount {
  const found = /^(.+?):([^:]+?)(?::(ro|rw))?$/s.exec(text);
  if (found === null) throw invalid(text, 'is not SOURCE:TARGET[:ro|rw]');
  const [, source = '', target = '', mode] = found;
  if (mode === undefined && (target === 'ro' || target === 'rw')) throw invalid(text, 'names no target');
  try {
    return {
      source: parseAbsolutePath(resolve(source), 'source'),
      target: parseAbsolutePath(target, 'target'),
      mode: mode === 'rw' ? 'rw' : 'ro',
    };
  } catch (error) {
    throw invalid(text, error instanceof CortexError ? error.message : String(error));
  }
}

export function formatRequestedMount({ source, target, mode }: RequestedMount): string {
  return `${source}:${target}:${mode}`;
}

/** The first of two at one target would be hidden by the second. EINVAL. */
export function parseRequestedMounts(texts: readonly string[]): RequestedMount[] {
  const mounts = texts.map(parseRequestedMount);
  const targets = mounts.map(({ target }) => target);
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice === undefined) return mounts;
  throw new CortexError('EINVAL', `--mount names the target ${quoted(twice)} twice`);
}

/**
 * The line that lets a start show `source` in this mode: its own source is the same place or one above, and it is not
 * narrower. Places are compared without links.
 */
export function coveringLine(
  lines: readonly MountEntry[],
  { source, mode }: { source: Located; mode: MountMode },
  placeOf: (source: string) => Located | undefined,
): MountEntry | undefined {
  return lines.find((line) => {
    if (mode === 'rw' && line.mode !== 'rw') return false;
    const place = placeOf(line.source);
    return place !== undefined && within(place.path, source.path);
  });
}

function invalid(text: string, why: string): CortexError {
  return new CortexError('EINVAL', `--mount ${quoted(text)}: ${why}`, {
    hint: 'write --mount SOURCE:TARGET:ro, with SOURCE in a line of the mount control',
  });
}
