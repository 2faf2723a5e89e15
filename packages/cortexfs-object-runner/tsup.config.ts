import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { singleFileBundle } from '../../tsup.base.ts';

const here = import.meta.dirname;

/** `network.js` holds what talks to providers: loaded when a model needs it, it costs the others nothing. */
const entry = { 'cortexfs-object-runner': 'src/main.ts', network: 'src/network/network.ts' };

// Modules that only later versions of node have are known by their prefix alone.
export default singleFileBundle(here, finish, { entry, removeNodeProtocol: false });

function finish() {
  condense(join(here, 'dist/network.js'));
  writeNotices();
}

/** Without its blanks and comments a file of this size is read a third faster. */
function condense(file: string) {
  const { code } = transformSync(readFileSync(file, 'utf8'), { minifyWhitespace: true, minifySyntax: true });
  writeFileSync(file, code);
}

/** The licences of the packages that lie inside network.js, which ask to be passed on with it. */
function writeNotices() {
  const direct = [
    '@ai-sdk/anthropic',
    '@ai-sdk/google',
    '@ai-sdk/openai',
    '@ai-sdk/openai-compatible',
    'undici',
    'zod',
  ];
  const found = new Map<string, string>();
  for (const name of direct) addNotice(found, name, here);
  writeFileSync(join(here, 'dist/THIRD-PARTY.txt'), [...found.values()].join('\n'));
}

function addNotice(found: Map<string, string>, name: string, from: string): void {
  const folder = realpathSync(folderOf(name, from));
  if (found.has(folder)) return;
  const {
    version,
    license,
    dependencies = {},
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
    dependencies?: Record<string, string>;
  };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  found.set(folder, `${name} ${version} (${license})\n\n${text}`);
  for (const next of Object.keys(dependencies)) addNotice(found, next, folder);
}

function folderOf(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`${name} is not installed`);
}
