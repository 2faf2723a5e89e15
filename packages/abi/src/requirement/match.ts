import type SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import type { Comparator, Operator } from './comparator.ts';

/** Whether a version meets one comparator, leaving aside the rule on pre-releases of the whole requirement. */
export function meets(version: SemVer, comparator: Comparator): boolean {
  return OPERATORS[comparator.operator](version, comparator);
}

const OPERATORS: Readonly<Record<Operator, (version: SemVer, comparator: Comparator) => boolean>> = {
  '=': equal,
  '>': greater,
  '>=': (version, comparator) => equal(version, comparator) || greater(version, comparator),
  '<': less,
  '<=': (version, comparator) => equal(version, comparator) || less(version, comparator),
  '~': tilde,
  '^': caret,
};

function equal(version: SemVer, comparator: Comparator): boolean {
  if (isFull(comparator)) return compare(version, lowest(comparator)) === 0;
  return isStable(version) && within(version, lowest(comparator), above(comparator, lastGiven(comparator)));
}

function greater(version: SemVer, comparator: Comparator): boolean {
  if (isFull(comparator)) return compare(version, lowest(comparator)) > 0;
  return compare(version, above(comparator, lastGiven(comparator))) >= 0;
}

function less(version: SemVer, comparator: Comparator): boolean {
  return compare(version, lowest(comparator)) < 0;
}

/** The last given component may grow, or the patch of a full version. */
function tilde(version: SemVer, comparator: Comparator): boolean {
  if (!isFull(comparator)) return equal(version, comparator);
  return within(version, lowest(comparator), above(comparator, 'minor'));
}

/** Everything right of the leftmost given component that is not zero may grow. */
function caret(version: SemVer, comparator: Comparator): boolean {
  return within(version, lowest(comparator), above(comparator, pinnedByCaret(comparator)));
}

type Component = 'major' | 'minor' | 'patch';

function pinnedByCaret({ major, minor, patch }: Comparator): Component {
  if (major > 0 || minor === undefined) return 'major';
  return minor > 0 || patch === undefined ? 'minor' : 'patch';
}

function lastGiven({ minor }: Comparator): Component {
  return minor === undefined ? 'major' : 'minor';
}

function isFull({ patch }: Comparator): boolean {
  return patch !== undefined;
}

function isStable(version: SemVer): boolean {
  return version.prerelease.length === 0;
}

function within(version: SemVer, from: string, below: string): boolean {
  return compare(version, from) >= 0 && compare(version, below) < 0;
}

/** The least version that a comparator names: for a partial one, the least pre-release of its first version. */
function lowest(comparator: Comparator): string {
  const { major, minor = 0, patch = 0, prerelease } = comparator;
  const pre = isFull(comparator) ? prerelease : '0';
  return `${major}.${minor}.${patch}${pre === '' ? '' : `-${pre}`}`;
}

/** The least version whose component is higher than the comparator's. */
function above({ major, minor = 0, patch = 0 }: Comparator, component: Component): string {
  if (component === 'major') return `${major + 1}.0.0-0`;
  return component === 'minor' ? `${major}.${minor + 1}.0-0` : `${major}.${minor}.${patch + 1}-0`;
}
