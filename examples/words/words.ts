// A tool in TypeScript. It knows of CortexFS only what docs/write-a-tool.md says: JSON in, frames out, an exit code.
import { readFileSync } from 'node:fs';

interface Input {
  text: string;
}

const run = process.env.CTX_RUN_ID ?? 'run-1';

try {
  frame({ type: 'start' });
  const { text } = readInput();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  message(JSON.stringify({ words: words.length, characters: [...text].length, longest }));
  frame({ type: 'done', status: 'ok' });
} catch (error) {
  frame({ type: 'error', code: 'EINVAL', message: error instanceof Error ? error.message : String(error) });
  frame({ type: 'done', status: 'error' });
  process.exitCode = 2;
}

/** The arguments, or standard input when there are none: a JSON object, or the text itself. */
function readInput(): Input {
  const given = process.argv.length > 2 ? process.argv.slice(2).join(' ') : readFileSync(0, 'utf8');
  if (!given.trimStart().startsWith('{')) return { text: given };
  const { text } = JSON.parse(given) as Partial<Input>;
  if (typeof text !== 'string') throw new Error('"text" must be a string');
  return { text };
}

function message(text: string): void {
  frame({ type: 'message', content: [{ type: 'text', text }] });
}

function frame(fields: object): void {
  process.stdout.write(`${JSON.stringify({ ...fields, run })}\n`);
}
