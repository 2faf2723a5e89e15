import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { globTest } from '../../fs.search/glob.ts';
import { MAX_FILE_BYTES, MAX_TEXT, type Match } from '../../fs.search/match.ts';
import { ownSearch } from '../../fs.search/own-search.ts';
import { tool } from '../../fs.search/tool.ts';
import { asAgent, call, scratch } from '../scratch.ts';

/** A tree with everything that a search meets. */
function tree(test: Parameters<typeof scratch>[0]): string {
  const dir = scratch(test);
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  put('a.ts', 'one\ntwo needle\r\nthree\n');
  put('b/c.ts', 'needle 好\n');
  put('b/d.md', `${'x'.repeat(600)} needle\n`);
  put('b/空 name.txt', 'a needle');
  put('.hidden/x.ts', 'needle\n');
  put('.env', 'needle\n');
  put('node_modules/x.ts', 'needle\n');
  put('binary', Buffer.from('needle\n\0'));
  put('large', `${'needle\n'.repeat(MAX_FILE_BYTES / 7)}more\n`);
  put('.gitignore', '*.ts\n');
  symlinkSync('/etc/passwd', join(dir, 'link'));
  symlinkSync('b', join(dir, 'linked-directory'));
  return dir;
}

/** The tool, which takes ripgrep where it is installed, and the search that needs nothing. */
const engines: readonly [name: string, search: (input: Input) => Promise<Match[]>][] = [
  ['the tool', async (input) => JSON.parse((await call(tool, input))[0]!)],
  [
    'without ripgrep',
    async ({ path, pattern, glob, max = 100 }) => {
      const fd = openSync(path, 'r');
      try {
        return ownSearch({ place: '', shown: path, pattern, glob, most: max }, fd);
      } finally {
        closeSync(fd);
      }
    },
  ],
];
interface Input {
  readonly path: string;
  readonly pattern: string;
  readonly glob?: string;
  readonly max?: number;
}

for (const [name, search] of engines) {
  t.test(`${name}: lines of text files in order, without hidden, ignored or linked ones`, async (t) => {
    const dir = tree(t);
    t.strictSame(await search({ path: dir, pattern: 'need(le)' }), [
      { file: `${dir}/a.ts`, line: 2, text: 'two needle' },
      { file: `${dir}/b/c.ts`, line: 1, text: 'needle 好' },
      { file: `${dir}/b/d.md`, line: 1, text: `${'x'.repeat(MAX_TEXT - 3)}...` },
      { file: `${dir}/b/空 name.txt`, line: 1, text: 'a needle' },
    ]);
    const files = async (glob: string) =>
      (await search({ path: dir, pattern: 'needle', glob })).map(({ file }) => file.slice(dir.length + 1));
    t.strictSame(await files('*.ts'), ['a.ts', 'b/c.ts']);
    t.strictSame(await files('b/*.{md,ts}'), ['b/c.ts', 'b/d.md']);
    t.strictSame(await files('**/c.ts'), ['b/c.ts']);
    t.equal((await search({ path: dir, pattern: 'needle', max: 2 })).length, 2);
    t.strictSame(await search({ path: `${dir}/a.ts`, pattern: '^t' }), [
      { file: `${dir}/a.ts`, line: 2, text: 'two needle' },
      { file: `${dir}/a.ts`, line: 3, text: 'three' },
    ]);
    t.strictSame(await search({ path: dir, pattern: 'nowhere at all' }), []);
    t.strictSame(await search({ path: dir, pattern: '--files' }), [], 'a pattern is never an option');
    await t.rejects(search({ path: dir, pattern: '(' }), {
      code: 'EINVAL',
      message: /not a regular expression/,
    });
  });
}

t.test('an expression without end is stopped', async (t) => {
  const dir = scratch(t);
  writeFileSync(join(dir, 'f'), `${'a'.repeat(60)}!`);
  await t.rejects(call(tool, { path: join(dir, 'f'), pattern: '^(a+)+$' }), { code: 'ETIMEDOUT' });
});

t.test('what there is more of is told; what cannot be searched is refused', async (t) => {
  const dir = tree(t);
  const [found, note] = await call(tool, { path: dir, pattern: 'needle', max: 3 });
  t.equal(JSON.parse(found!).length, 3);
  t.equal(note, '\n{"truncated":true}');
  await t.rejects(call(tool, { path: `${dir}/none`, pattern: 'x' }), { code: 'ENOENT' });
  asAgent(t);
  await t.rejects(call(tool, { path: '/proc/self', pattern: 'x' }), { code: 'EACCES', layer: 'mount' });
});

t.test('a glob is about the name unless it has a slash', async (t) => {
  const rows: readonly [glob: string, yes: string[], no: string[]][] = [
    ['*.ts', ['a.ts', 'b/c.ts'], ['a.tsx', 'ts']],
    ['src/**', ['src/a', 'src/b/c'], ['a', 'xsrc/a']],
    ['src/**/x.js', ['src/x.js', 'src/a/b/x.js'], ['x.js', 'src/x_js']],
    ['{a,b}?', ['a1', 'x/b2'], ['a', 'c1', 'a12']],
    ['a+(b).[c]', ['a+(b).[c]'], ['ab.c']],
    ['{a', ['a'], ['{a']],
    ['a}b,c', ['a}b,c'], ['ab']],
  ];
  for (const [glob, yes, no] of rows) {
    const fits = globTest(glob);
    for (const path of yes) t.ok(fits(path), `${glob} fits ${path}`);
    for (const path of no) t.notOk(fits(path), `${glob} does not fit ${path}`);
  }
  fc.assert(
    fc.property(
      fc.string({ maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      (glob, path) => typeof globTest(glob)(path) === 'boolean',
    ),
  );
});
