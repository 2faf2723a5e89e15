import fc from 'fast-check';
import t from 'tap';
import { CortexError } from '../src/errors.ts';
import { parseVersion } from '../src/object-version.ts';
import { parseRequirement, satisfies } from '../src/requirement.ts';

/** A requirement, versions that meet it, versions that do not. */
type Row = [requirement: string, met: string, unmet: string];

function table(name: string, rows: Row[]): void {
  t.test(name, async (t) => {
    for (const [text, met, unmet] of rows) {
      const requirement = parseRequirement(text);
      t.equal(requirement.text, text);
      for (const version of met.split(' '))
        t.ok(satisfies(requirement, version), `${text} is met by ${version}`);
      for (const version of unmet.split(' '))
        t.notOk(satisfies(requirement, version), `${text} is not met by ${version}`);
    }
  });
}

table('a bare version is a caret', [
  ['1.2.3', '1.2.3 1.2.4 1.3.0 1.99.99', '1.2.2 0.9.0 2.0.0 2.0.0-alpha 1.2.3-alpha 1.3.0-alpha'],
  ['1.2', '1.2.0 1.2.9 1.9.0', '1.1.9 2.0.0 1.2.0-alpha 1.2.5-rc.1'],
  ['1', '1.0.0 1.9.9', '0.9.9 2.0.0 1.0.0-alpha 2.0.0-0'],
  ['0.2.3', '0.2.3 0.2.9', '0.2.2 0.3.0 0.3.0-0 1.0.0'],
  ['0.2', '0.2.0 0.2.9', '0.1.9 0.3.0'],
  ['0.0.3', '0.0.3', '0.0.2 0.0.4 0.0.4-0 0.1.0'],
  ['0.0', '0.0.0 0.0.9', '0.1.0 1.0.0 0.0.1-alpha'],
  ['0', '0.0.0 0.9.9', '1.0.0 1.0.0-alpha 0.1.0-alpha'],
  ['0.0.0', '0.0.0', '0.0.1 0.1.0'],
]);

table('an explicit caret is the same', [
  ['^1.2.3', '1.2.3 1.9.0', '1.2.2 2.0.0'],
  ['^0.2.3', '0.2.3 0.2.4', '0.3.0'],
  ['^0.0.3', '0.0.3', '0.0.4'],
  ['^ 1.2', '1.2.0', '1.1.0'],
  ['^0', '0.5.0', '1.0.0'],
  ['^1.*', '1.0.0 1.9.0', '2.0.0'],
]);

table('a tilde lets the last given component grow', [
  ['~1.2.3', '1.2.3 1.2.9', '1.2.2 1.3.0 1.3.0-0 2.0.0 1.2.3-beta'],
  ['~1.2', '1.2.0 1.2.9', '1.1.9 1.3.0 1.2.0-alpha'],
  ['~1', '1.0.0 1.9.9', '0.9.9 2.0.0 1.0.0-alpha'],
  ['~0.2.3', '0.2.3 0.2.9', '0.3.0'],
  ['~0.0.3', '0.0.3 0.0.9', '0.1.0'],
  ['~0', '0.0.0 0.9.0', '1.0.0'],
  ['~ 1.2.3', '1.2.4', '1.3.0'],
]);

table('wildcards', [
  ['*', '0.0.0 1.2.3 99.0.0', '1.0.0-alpha 0.0.0-0'],
  ['x', '0.0.0 1.2.3', '1.0.0-alpha'],
  ['X', '1.2.3', '1.0.0-alpha'],
  [' * ', '1.2.3', '1.0.0-alpha'],
  ['1.*', '1.0.0 1.9.9', '0.9.9 2.0.0 1.0.0-alpha'],
  ['1.x', '1.5.0', '2.0.0'],
  ['1.X', '1.5.0', '2.0.0'],
  ['1.*.*', '1.5.0', '2.0.0'],
  ['1.2.*', '1.2.0 1.2.9', '1.1.9 1.3.0 1.2.1-alpha'],
  ['1.2.x', '1.2.0 1.2.9', '1.3.0'],
  ['0.*', '0.0.0 0.9.0', '1.0.0'],
  ['0.0.*', '0.0.0 0.0.9', '0.1.0'],
]);

table('comparisons of full versions', [
  ['=1.2.3', '1.2.3 1.2.3+build', '1.2.2 1.2.4 1.2.3-alpha'],
  ['>1.2.3', '1.2.4 1.3.0 2.0.0', '1.2.3 1.2.2 1.2.4-alpha'],
  ['>=1.2.3', '1.2.3 1.2.4 2.0.0', '1.2.2 1.2.3-alpha 2.0.0-alpha'],
  ['<1.2.3', '1.2.2 0.0.0', '1.2.3 1.2.4 1.2.3-alpha 1.2.2-alpha'],
  ['<=1.2.3', '1.2.3 1.2.2 0.0.0', '1.2.4 1.2.3-alpha'],
  ['>= 1.2.3', '1.2.3', '1.2.2'],
  ['= 1.2.3', '1.2.3', '1.2.4'],
  ['  >=1.2.3  ', '1.2.3', '1.2.2'],
]);

table('comparisons of partial versions', [
  ['=1', '1.0.0 1.9.9', '0.9.9 2.0.0 1.0.0-alpha'],
  ['=1.2', '1.2.0 1.2.9', '1.1.0 1.3.0'],
  ['>1', '2.0.0 3.1.0', '1.0.0 1.9.9 0.1.0 2.0.0-alpha'],
  ['>1.2', '1.3.0 2.0.0', '1.2.0 1.2.9'],
  ['>=1', '1.0.0 2.0.0', '0.9.9 1.0.0-alpha'],
  ['>=1.2', '1.2.0 1.3.0', '1.1.9'],
  ['<1', '0.9.9', '1.0.0 1.0.0-alpha 2.0.0'],
  ['<1.2', '1.1.9 0.1.0', '1.2.0 1.2.0-alpha'],
  ['<=1', '1.9.9 0.1.0', '2.0.0 2.0.0-0'],
  ['<=1.2', '1.2.9 1.1.0', '1.3.0'],
  ['>=1.*', '1.0.0 2.0.0', '0.9.0'],
  ['<1.2.*', '1.1.9', '1.2.0'],
]);

table('a comma is "and"', [
  ['>=0.1.7, <0.2.0', '0.1.7 0.1.8 0.1.99', '0.1.6 0.2.0 0.2.0-alpha 1.0.0'],
  ['>=1.2,<1.5', '1.2.0 1.4.9', '1.1.9 1.5.0'],
  ['>= 1.2 , < 1.5', '1.4.0', '1.5.0'],
  ['>1, <3, <2.5', '2.0.0 2.4.9', '1.9.0 2.5.0'],
  ['1.2, 1.4', '1.4.0 1.9.0', '1.3.0 2.0.0'],
  ['^1, ~1.2', '1.2.3', '1.3.0'],
]);

t.test('conditions that exclude each other are met by nothing', async (t) => {
  const requirement = parseRequirement('1, 2');
  for (const version of ['1.0.0', '2.0.0', '1.5.0']) t.notOk(satisfies(requirement, version));
});

table('a pre-release is met only where one of the same version is named', [
  ['1.0.0-alpha', '1.0.0-alpha 1.0.0-beta 1.0.0 1.9.0', '1.0.0-0 1.0.1-alpha 1.1.0-beta 2.0.0-alpha'],
  ['>=1.0.0-alpha', '1.0.0-alpha.1 1.0.0 2.0.0', '1.0.1-alpha 2.0.0-alpha'],
  ['=1.0.0-beta.2', '1.0.0-beta.2 1.0.0-beta.2+b', '1.0.0 1.0.0-beta.1 1.0.0-beta.11'],
  ['>1.0.0-beta.2', '1.0.0-beta.11 1.0.0-rc 1.0.0 1.1.0', '1.0.0-beta.2 1.0.0-alpha 1.1.0-alpha'],
  ['<1.0.0-beta', '1.0.0-alpha 0.9.0', '1.0.0-beta 1.0.0 0.9.0-alpha'],
  ['<=1.0.0-beta', '1.0.0-beta 1.0.0-1 0.9.0', '1.0.0 1.0.0-rc'],
  ['~1.2.3-beta.2', '1.2.3-beta.2 1.2.3-beta.11 1.2.3 1.2.4', '1.2.3-beta.1 1.2.4-beta 1.3.0'],
  ['>=0.1.7-rc.1, <0.2.0', '0.1.7-rc.1 0.1.7-rc.2 0.1.7', '0.1.7-beta 0.1.8-rc.1 0.2.0-rc.1'],
  ['>1, <2.0.0-beta', '2.0.0-alpha', '1.9.0 2.0.0 2.0.0-beta'],
  ['1.2.3-alpha+build', '1.2.3-alpha 1.2.3', '1.2.3-0'],
]);

table('build metadata counts for nothing', [
  ['1.2.3+abc', '1.2.3 1.2.3+def 1.3.0', '1.2.2'],
  ['=1.2.3+abc', '1.2.3+def', '1.2.4+abc'],
]);

t.test('what npm would read and Cargo does not', async (t) => {
  const bad: [text: string, hint?: RegExp][] = [
    ['', /write \* for any version/],
    [' ', /write \* for any version/],
    ['1.2.3 - 2.0.0', />=1\.2, <2/],
    ['1.2 || 2', /no "or"/],
    ['1||2', /no "or"/],
    ['>=1.2 <2', /put a comma/],
    ['1.2 1.3', /put a comma/],
    ['latest'],
    ['next'],
    ['v1.2.3'],
    ['=v1.2.3'],
    ['~>1.2.3'],
    ['==1.2.3'],
    ['!=1.2.3'],
    ['=>1.2.3'],
    ['><1.2'],
    ['1.2.3.4'],
    ['1.'],
    ['.1'],
    ['1..2'],
    ['01.2.3'],
    ['1.02'],
    ['1.2.3-'],
    ['1.2.3-01'],
    ['1.2.3-a..b'],
    ['1.2.3+'],
    ['1.2-alpha'],
    ['1-alpha'],
    ['1.*.3'],
    ['1.2.*-alpha'],
    ['*.1'],
    ['*.*'],
    ['>*'],
    ['^*'],
    ['>=x'],
    ['**'],
    ['*, 1', /^$/],
    ['1, *', /^$/],
    ['*,*', /^$/],
    ['1,'],
    [',1'],
    ['1,,2'],
    [','],
    ['>='],
    ['^'],
    ['1.2.3\n'],
    ['1.2.3\t'],
    ['>=\t1.2.3'],
    ['1;2'],
    ['"1.2.3"'],
    ['１.2.3'],
    ['-1'],
    ['9007199254740992'],
    ['9007199254740991'],
    ['1.99999999999999999999'],
  ];
  for (const [text, hint] of bad) {
    try {
      parseRequirement(text);
      t.fail(`${JSON.stringify(text)} must be refused`);
    } catch (err) {
      if (!(err instanceof CortexError)) throw err;
      t.equal(err.code, 'EINVAL', JSON.stringify(text));
      if (hint !== undefined) t.match(err.hint ?? '', hint, `hint for ${JSON.stringify(text)}`);
    }
  }
});

t.test('at most 4096 characters', async (t) => {
  t.ok(satisfies(parseRequirement('1'.padEnd(4096)), '1.0.0'));
  t.throws(() => parseRequirement('1'.padEnd(4097)), { code: 'EINVAL', message: /limit is 4096/ });
});

t.test('at most 32 conditions', async (t) => {
  t.ok(satisfies(parseRequirement(Array(32).fill('1').join(',')), '1.0.0'));
  t.throws(() => parseRequirement(Array(33).fill('1').join(',')), { code: 'EINVAL' });
});

t.test('versions are those of semver.org', async (t) => {
  for (const good of ['0.0.0', '1.2.3', '1.2.3-a.1.b-2', '1.2.3+01.a', '1.2.3--', '9007199254740991.0.0']) {
    t.equal(parseVersion(good), good);
  }
  for (const bad of [
    '',
    '1',
    '1.2',
    'v1.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '01.2.3',
    '1.2.3-01',
    '1.2.3-',
    '1.2.3+',
    '1.2.3-a+b+c',
    '1.2.3.4',
    '^1.2.3',
    '1.2.x',
    '9007199254740992.0.0',
    `1.2.3-${'a'.repeat(256)}`,
    '1.2.3\n',
  ]) {
    t.throws(() => parseVersion(bad), { code: 'EINVAL', layer: 'manifest' }, JSON.stringify(bad));
  }
});

const number = fc.integer({ min: 0, max: 12 });
const version = fc
  .tuple(
    number,
    number,
    number,
    fc.option(fc.constantFrom('0', 'alpha', 'alpha.1', 'beta.2', 'rc'), { nil: undefined }),
  )
  .map(([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre === undefined ? '' : `-${pre}`}`);

t.test('a bare version is met by itself, and tilde is never wider than caret above 0', async () => {
  fc.assert(
    fc.property(version, version, (base, other) => {
      if (!satisfies(parseRequirement(base), base)) return false;
      const tilde = satisfies(parseRequirement(`~${base}`), other);
      const caret = satisfies(parseRequirement(`^${base}`), other);
      return base.startsWith('0.') || !tilde || caret;
    }),
  );
});

t.test('of "<", "=" and ">" exactly one is met by a release', async () => {
  const release = fc.tuple(number, number, number).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(release, release, (base, other) => {
      const met = ['<', '=', '>'].filter((operator) => satisfies(parseRequirement(operator + base), other));
      return met.length === 1;
    }),
  );
});

t.test('any text is a requirement or refused', async () => {
  const near = fc.array(
    fc.constantFrom('1', '0', '.', '*', 'x', '-', 'alpha', '+', ',', ' ', '^', '~', '>', '<', '='),
    { maxLength: 9 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        near.map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          satisfies(parseRequirement(text), '1.0.0-alpha');
          return true;
        } catch (err) {
          return err instanceof CortexError;
        }
      },
    ),
    { numRuns: 2000 },
  );
});
