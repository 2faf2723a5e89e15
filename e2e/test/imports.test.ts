import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { checkout } from '../place.ts';

/** Libraries that every bin bundles; everything else that a package ships is a program of its own. */
const LIBRARIES = ['@cortexfs/abi', '@cortexfs/linux', '@cortexfs/tools'];

interface Package {
  readonly folder: string;
  readonly name: string;
  readonly bins: readonly string[];
  readonly runtime: ReadonlySet<string>;
  readonly development: ReadonlySet<string>;
}

const packages = ['tools', ...readdirSync(join(checkout, 'packages')).map((name) => `packages/${name}`)]
  .filter((folder) => existsSync(join(checkout, folder, 'package.json')))
  .map(readPackage);
const bins = packages.filter(({ bins }) => bins.length > 0);

function readPackage(folder: string): Package {
  const json = JSON.parse(readFileSync(join(checkout, folder, 'package.json'), 'utf8'));
  const runtime = new Set(Object.keys({ ...json.dependencies, ...json.optionalDependencies }));
  const development = new Set([...runtime, ...Object.keys(json.devDependencies ?? {})]);
  return { folder, name: json.name, bins: Object.keys(json.bin ?? {}), runtime, development };
}

/** The packages that the files of a folder import, with the file that does. `node:` and relative imports are no packages. */
function importsOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const path = join(checkout, folder);
  if (!existsSync(path)) return found;
  const files = statSync(path).isFile() ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' });
  for (const file of files) {
    if (!/\.m?[tj]s$/.test(join(path, file)) || /(^|\/)(node_modules|dist|generated)\//.test(file)) continue;
    for (const name of importedNames(readFileSync(join(path, file), 'utf8'))) {
      if (!found.has(name)) found.set(name, `${folder}/${file}`);
    }
  }
  return found;
}

/** By TypeScript's own scanner: programs inside strings do not count. */
function importedNames(source: string): string[] {
  const { importedFiles } = ts.preProcessFile(source, true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => /^@?[a-z]/.test(specifier) && !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

t.test('the scan sees imports of every form', async (t) => {
  const source = `import a from 'one';\nimport type { B } from "@two/two/sub";\nimport 'three';\nexport * from 'four/x';
    const { c } = await import('five');\nconst d = require('six');\nimport {\n  e,\n  f,\n} from 'seven';
    import g from './local.ts';\nimport h from 'node:fs';\nconst i = 'import nothing';`;
  t.strictSame(importedNames(source).sort(), ['@two/two', 'five', 'four', 'one', 'seven', 'six', 'three']);
  t.equal(bins.length, 7, 'and every bin is looked at');
});

t.test('no bin imports another', async (t) => {
  for (const { folder, name } of bins) {
    const others = [...importsOf(`${folder}/src`).keys()].filter(
      (imported) => imported.startsWith('@cortexfs/') && imported !== name && !LIBRARIES.includes(imported),
    );
    t.strictSame(others, [], folder);
    for (const [imported, file] of importsOf(`${folder}/src`)) t.notMatch(imported, /^(src|packages)$/, file);
  }
});

t.test('what a package imports is declared in its package.json', async (t) => {
  for (const { folder, name, development } of packages) {
    for (const part of folder === 'tools' ? toolFolders() : ['src', 'test']) {
      for (const [imported, file] of importsOf(join(folder, part))) {
        if (imported === name) continue;
        // tap, tsx and their like are the workspace's own tools, declared once at the root.
        const declared = development.has(imported) || (part !== 'src' && rootTools.has(imported));
        t.ok(declared, `${file} imports ${imported}`);
        t.notOk(builtinModules.includes(imported), `${file}: write node:${imported}`);
      }
    }
  }
});

/** Each tool is a folder, the registry a file; what tests leave may vanish while it is looked at. */
function toolFolders(): string[] {
  return readdirSync(join(checkout, 'tools')).filter((name) =>
    /^(?!node_modules|generated|tsconfig|package)[a-z]/.test(name),
  );
}

const rootTools = readPackage('.').development;

t.test('a built bin loads nothing that it does not declare to those who install it', async (t) => {
  for (const { folder, runtime } of bins) {
    for (const [imported, file] of importsOfBundle(folder))
      t.ok(runtime.has(imported), `${file} loads ${imported}`);
  }
});

function importsOfBundle(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(join(checkout, folder, 'dist')).filter((name) => /\.m?js$/.test(name))) {
    for (const name of importedNames(readFileSync(join(checkout, folder, 'dist', file), 'utf8')))
      if (!builtinModules.includes(name)) found.set(name, `${folder}/dist/${file}`);
  }
  return found;
}

/** The wall clock may be set back at any time: it is written down as a date and measures nothing. */
const WRITTEN_DOWN =
  /formatTimestamp\(Date\.now\(\)\)|newRunId\(Date\.now\(\)|now: number = Date\.now\(\)|now: Math\.floor\(Date\.now\(\) \/ 1000\)/g;
/** Compared with dates: those that the same clock has put on files, and those that a server names. */
const COMPARED = /BigInt\(Date\.now\(\)\) \* 1_000_000n|Date\.parse\(after\) - Date\.now\(\)/g;

t.test('durations and deadlines are measured by a clock that nobody sets', async (t) => {
  for (const { folder } of packages) {
    const source = join(checkout, folder, folder === 'tools' ? '' : 'src');
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /(^|\/)(node_modules|dist|generated|test)\//.test(file)) continue;
      const text = readFileSync(join(source, file), 'utf8');
      t.notMatch(
        text.replace(WRITTEN_DOWN, '').replace(COMPARED, ''),
        /Date\.now\(|\.getTime\(\)|console\.time/,
        `${folder}/${file}`,
      );
    }
  }
});
