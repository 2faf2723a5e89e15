import SemVer from 'semver/classes/semver.js';
import { CortexError } from './errors.ts';
import { parseVersion } from './object-version.ts';
import { quoted } from './quote.ts';
import { type Comparator, parseComparator } from './requirement/comparator.ts';
import { meets } from './requirement/match.ts';

/** A version requirement as Cargo reads it. No comparator means any version without a pre-release. */
export interface Requirement {
  text: string;
  comparators: readonly Comparator[];
}

const MOST_COMPARATORS = 32;
/** So that a receipt, which keeps it, never gets too long. */
const LONGEST = 4096;

/**
 * Reads a requirement (docs/manifest.md): comparators with commas between them, all of which must be met; a
 * bare version is a caret; `*` alone is any version. Throws EINVAL.
 */
export function parseRequirement(text: string): Requirement {
  if (text.length > LONGEST) throw refusal(`has ${text.length} characters, the limit is ${LONGEST}`);
  const parts = text.split(',').map((part) => part.replace(/^ +| +$/g, ''));
  if (parts.length === 1 && isWildcard(parts[0]!)) return { text, comparators: [] };
  if (parts.some(isWildcard)) throw refusal(`${quoted(text)} has a wildcard beside other conditions`);
  if (parts.length > MOST_COMPARATORS)
    throw refusal(`has ${parts.length} conditions, the limit is ${MOST_COMPARATORS}`);
  return { text, comparators: parts.map(parseComparator) };
}

/**
 * Whether a version meets a requirement. A pre-release does so only when a comparator names a pre-release of
 * the same major.minor.patch; build metadata counts for nothing.
 */
export function satisfies(requirement: Requirement, version: string): boolean {
  const parsed = new SemVer(parseVersion(version));
  const { comparators } = requirement;
  if (!comparators.every((comparator) => meets(parsed, comparator))) return false;
  return (
    parsed.prerelease.length === 0 || comparators.some((comparator) => namesPrereleaseOf(parsed, comparator))
  );
}

function namesPrereleaseOf(version: SemVer, { major, minor, patch, prerelease }: Comparator): boolean {
  return prerelease !== '' && version.major === major && version.minor === minor && version.patch === patch;
}

function isWildcard(text: string): boolean {
  return text === '*' || text === 'x' || text === 'X';
}

function refusal(why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'manifest' });
}
