import { CortexError } from './errors.ts';
import { quoted } from './quote.ts';

/** What a file below bin/ starts: absolute paths, so that it needs no PATH (docs/mount.md). */
export interface Launcher {
  node: string;
  script: string;
}

/**
 * A launcher's text: a script for /bin/sh that replaces itself by node. The shell adds PWD to the environment, which in
 * a sandbox is on nobody's list, and which no program may trust anywhere.
 */
export function formatLauncher({ node, script }: Launcher): string {
  return `#!/bin/sh\nunset PWD\nexec ${word(node)} ${word(script)} "$@"\n`;
}

/** Exactly the text that `formatLauncher` writes; EINVAL for any other. */
export function parseLauncher(text: string): Launcher {
  const [, node, script] = LAUNCHER.exec(text) ?? [];
  if (node === undefined || script === undefined) {
    throw new CortexError('EINVAL', `not a launcher: ${quoted(text)}`, {
      layer: 'format',
      hint: 'ctx bootstrap',
    });
  }
  return { node: unquoted(node), script: unquoted(script) };
}

/** One single-quoted word of sh that begins with a slash. */
const WORD = String.raw`'(\/(?:[^'\0\n]|'\\'')*)'`;
const LAUNCHER = new RegExp(`^#!/bin/sh\nunset PWD\nexec ${WORD} ${WORD} "\\$@"\n$`);

function word(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function unquoted(text: string): string {
  return text.replaceAll(`'\\''`, "'");
}
