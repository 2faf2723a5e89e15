import { CortexError } from '../errors.ts';
import { isVersion } from '../object-version.ts';
import { quoted } from '../quote.ts';

export type Operator = '=' | '>' | '>=' | '<' | '<=' | '~' | '^';

/** One condition of a requirement. Missing components are `undefined`; only a full one has a pre-release. */
export interface Comparator {
  operator: Operator;
  major: number;
  minor: number | undefined;
  patch: number | undefined;
  /** Without the leading `-`; empty when there is none. */
  prerelease: string;
}

const SHAPE =
  /^(?<operator>=|>=|>|<=|<|~|\^)? *(?<major>[0-9]+)(?:\.(?<minor>[0-9]+|[*xX])(?:\.(?<patch>[0-9]+|[*xX])(?<tail>[-+].*)?)?)?$/;

/** Reads one comparator, without the blanks around it. Throws EINVAL. */
export function parseComparator(text: string): Comparator {
  const parts = SHAPE.exec(text)?.groups;
  if (parts === undefined) throw malformed(text);
  const [minor, patch] = [given(parts['minor']), given(parts['patch'])];
  // `1.*.3` and `1.2.*-beta` leave a hole in the version.
  if (patch !== undefined && minor === undefined) throw malformed(text);
  if (patch === undefined && parts['tail'] !== undefined) throw malformed(text);
  const core = [parts['major']!, minor ?? '0', patch ?? '0'];
  const tail = parts['tail'] ?? '';
  // One below the largest exact integer, because a bound is one above the number.
  if (!isVersion(core.join('.') + tail) || core.some((part) => Number(part) >= Number.MAX_SAFE_INTEGER)) {
    throw malformed(text);
  }
  const wild = minor !== parts['minor'] || patch !== parts['patch'];
  return {
    operator: (parts['operator'] as Operator | undefined) ?? (wild ? '=' : '^'),
    major: Number(core[0]),
    minor: minor === undefined ? undefined : Number(minor),
    patch: patch === undefined ? undefined : Number(patch),
    prerelease: tail.startsWith('-') ? tail.slice(1).split('+')[0]! : '',
  };
}

/** The digits of a component; undefined when it is missing or a wildcard. */
function given(text: string | undefined): string | undefined {
  return text === undefined || /[*xX]/.test(text) ? undefined : text;
}

function malformed(text: string): CortexError {
  return new CortexError('EINVAL', `is no version requirement: ${quoted(text)}`, {
    layer: 'manifest',
    hint: hintFor(text),
  });
}

function hintFor(text: string): string {
  if (text === '') return 'write * for any version';
  if (text.includes('||')) return 'there is no "or": one requirement names one range';
  if (/ - /.test(text)) return 'write a range as ">=1.2, <2"';
  if (/^[^ ]+ +[^ ]/.test(text)) return 'put a comma between two conditions: ">=1.2, <2"';
  return 'write for example ">=0.1.7, <0.2.0", "^1.2", "~1.2.3" or "1.*"';
}
