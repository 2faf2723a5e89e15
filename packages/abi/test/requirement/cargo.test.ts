import t from 'tap';
import { parseRequirement, satisfies } from '../../src/requirement.ts';

/**
 * Requirements with the range that Cargo's reference ("Specifying Dependencies", "Version requirement syntax") or the
 * documentation of its semver crate (`Op`) gives for each; then versions inside it and outside.
 */
type Row = [requirement: string, range: string, inside: string, outside: string];

const TABLES: Record<string, Row[]> = {
  'default requirements': [
    ['1.2.3', '>=1.2.3, <2.0.0', '1.2.3 1.2.4 1.3.0 1.99.0', '1.2.2 0.9.9 2.0.0 3.1.4'],
    ['1.2', '>=1.2.0, <2.0.0', '1.2.0 1.2.9 1.9.9', '1.1.9 2.0.0 0.2.0'],
    ['1', '>=1.0.0, <2.0.0', '1.0.0 1.0.1 1.9.9', '0.9.9 2.0.0'],
    ['0.2.3', '>=0.2.3, <0.3.0', '0.2.3 0.2.4 0.2.99', '0.2.2 0.3.0 1.0.0'],
    ['0.2', '>=0.2.0, <0.3.0', '0.2.0 0.2.9', '0.1.9 0.3.0 1.2.0'],
    ['0.0.3', '>=0.0.3, <0.0.4', '0.0.3', '0.0.2 0.0.4 0.1.0'],
    ['0.0', '>=0.0.0, <0.1.0', '0.0.0 0.0.1 0.0.99', '0.1.0 1.0.0'],
    ['0', '>=0.0.0, <1.0.0', '0.0.0 0.1.0 0.99.9', '1.0.0'],
  ],
  'caret requirements': [
    ['^1.2.3', '>=1.2.3, <2.0.0', '1.2.3 1.5.0', '1.2.2 2.0.0'],
    ['^1.2', '>=1.2.0, <2.0.0', '1.2.0 1.3.7', '1.1.9 2.0.0'],
    ['^1', '>=1.0.0, <2.0.0', '1.0.0 1.4.2', '0.9.0 2.0.0'],
    ['^0.2.3', '>=0.2.3, <0.3.0', '0.2.3 0.2.7', '0.2.1 0.3.0'],
    ['^0.0.3', '>=0.0.3, <0.0.4', '0.0.3', '0.0.4'],
    ['^0.0', '>=0.0.0, <0.1.0', '0.0.5', '0.1.0'],
    ['^0', '>=0.0.0, <1.0.0', '0.7.0', '1.0.0'],
  ],
  'tilde requirements': [
    ['~1.2.3', '>=1.2.3, <1.3.0', '1.2.3 1.2.4 1.2.99', '1.2.2 1.3.0 2.0.0'],
    ['~1.2', '>=1.2.0, <1.3.0', '1.2.0 1.2.9', '1.1.9 1.3.0'],
    ['~1', '>=1.0.0, <2.0.0', '1.0.0 1.9.9', '0.9.9 2.0.0'],
    ['~0.1.7', '>=0.1.7, <0.2.0', '0.1.7 0.1.8', '0.1.6 0.2.0'],
    ['~0', '>=0.0.0, <1.0.0', '0.0.0 0.9.0', '1.0.0'],
  ],
  'wildcard requirements': [
    ['*', '>=0.0.0', '0.0.0 0.1.7 1.2.3 99.99.99', ''],
    ['1.*', '>=1.0.0, <2.0.0', '1.0.0 1.9.9', '0.9.9 2.0.0'],
    ['1.2.*', '>=1.2.0, <1.3.0', '1.2.0 1.2.9', '1.1.9 1.3.0'],
    ['1.*.*', '>=1.0.0, <2.0.0', '1.0.0 1.8.3', '2.0.0'],
    ['0.1.*', '>=0.1.0, <0.2.0', '0.1.0 0.1.7', '0.0.9 0.2.0'],
  ],
  'comparison requirements': [
    ['>= 1.2.0', '>=1.2.0', '1.2.0 1.2.1 2.0.0', '1.1.9'],
    ['> 1', '>=2.0.0', '2.0.0 7.0.0', '1.0.0 1.9.9 0.1.0'],
    ['< 2', '<2.0.0', '0.0.0 1.9.9', '2.0.0 2.0.1'],
    ['= 1.2.3', '>=1.2.3, <=1.2.3', '1.2.3', '1.2.2 1.2.4'],
    ['=1.2', '>=1.2.0, <1.3.0', '1.2.0 1.2.7', '1.1.0 1.3.0'],
    ['=1', '>=1.0.0, <2.0.0', '1.0.0 1.7.0', '0.9.0 2.0.0'],
    ['>1.2', '>=1.3.0', '1.3.0 2.0.0', '1.2.0 1.2.99'],
    ['>1.2.3', '>=1.2.4', '1.2.4 1.3.0', '1.2.3 1.2.0'],
    ['>=1.2', '>=1.2.0', '1.2.0 2.0.0', '1.1.99'],
    ['>=1', '>=1.0.0', '1.0.0 2.0.0', '0.99.99'],
    ['<1.2', '<1.2.0', '1.1.99 0.0.1', '1.2.0'],
    ['<1.2.3', '<1.2.3', '1.2.2 1.0.0', '1.2.3'],
    ['<=1.2', '<1.3.0', '1.2.99 1.0.0', '1.3.0'],
    ['<=1', '<2.0.0', '1.99.99 0.1.0', '2.0.0'],
    ['<=1.2.3', '<1.2.4', '1.2.3 1.2.2', '1.2.4'],
  ],
  'multiple version requirements': [
    ['>= 1.2, < 1.5', '>=1.2.0, <1.5.0', '1.2.0 1.4.99', '1.1.9 1.5.0'],
    ['>=0.1.7, <0.2.0', '>=0.1.7, <0.2.0', '0.1.7 0.1.99', '0.1.6 0.2.0'],
    ['^1.2, <1.8', '>=1.2.0, <1.8.0', '1.2.0 1.7.9', '1.8.0 1.1.0'],
    ['~1.2, >=1.2.5', '>=1.2.5, <1.3.0', '1.2.5 1.2.9', '1.2.4 1.3.0'],
    ['>1, <3', '>=2.0.0, <3.0.0', '2.0.0 2.9.9', '1.9.9 3.0.0'],
  ],
};

let pairs = 0;

for (const [section, rows] of Object.entries(TABLES)) {
  t.test(section, async (t) => {
    for (const [text, range, inside, outside] of rows) {
      for (const written of [text, range]) {
        const requirement = parseRequirement(written);
        for (const [versions, wanted] of [
          [inside, true],
          [outside, false],
        ] as const) {
          for (const version of versions.split(' ').filter((word) => word !== '')) {
            t.equal(satisfies(requirement, version), wanted, `${written} and ${version}`);
            if (written === text) pairs++;
          }
        }
      }
    }
  });
}

/** "Pre-releases": only a requirement that names one of the same version takes it, and it goes on to the release. */
const PRE_RELEASES: [requirement: string, version: string, wanted: boolean][] = [
  ['1.0', '1.0.0-alpha', false],
  ['1', '1.1.0-alpha', false],
  ['*', '1.0.0-alpha', false],
  ['>=0.9', '1.0.0-alpha', false],
  ['<2', '1.0.0-alpha', false],
  ['1.0.0-alpha', '1.0.0-alpha', true],
  ['1.0.0-alpha', '1.0.0-beta', true],
  ['1.0.0-alpha', '1.0.0', true],
  ['1.0.0-alpha', '1.5.0', true],
  ['1.0.0-alpha', '1.0.1-alpha', false],
  ['1.0.0-alpha', '2.0.0', false],
  ['1.0.0-beta', '1.0.0-alpha', false],
  ['=1.0.0-alpha', '1.0.0-alpha', true],
  ['=1.0.0-alpha', '1.0.0', false],
  ['>=1.0.0-alpha, <2', '1.0.0-rc.1', true],
  ['>=1.0.0-alpha, <2', '1.2.0-rc.1', false],
  ['~1.2.3-beta', '1.2.3-rc', true],
  ['~1.2.3-beta', '1.2.4-rc', false],
  ['~1.2.3-beta', '1.2.9', true],
  ['0.1.7-rc.1', '0.1.7', true],
  ['0.1.7-rc.1', '0.1.8', true],
  ['0.1.7-rc.2', '0.1.7-rc.1', false],
  ['0.1.7-rc.2', '0.1.7-rc.10', true],
];

t.test('pre-releases', async (t) => {
  for (const [text, version, wanted] of PRE_RELEASES)
    t.equal(satisfies(parseRequirement(text), version), wanted, `${text} and ${version}`);
  pairs += PRE_RELEASES.length;
});

/** "Build metadata … is ignored and should not be used in version requirements." */
const BUILDS: [requirement: string, version: string, wanted: boolean][] = [
  ['1.2.3', '1.2.3+build', true],
  ['=1.2.3', '1.2.3+build', true],
  ['=1.2.3+a', '1.2.3+b', true],
  ['>1.2.3', '1.2.3+build', false],
  ['<1.2.3', '1.2.3+build', false],
];

t.test('build metadata', async (t) => {
  for (const [text, version, wanted] of BUILDS)
    t.equal(satisfies(parseRequirement(text), version), wanted, `${text} and ${version}`);
  pairs += BUILDS.length;
  t.ok(pairs >= 150, `${pairs} pairs`);
});
