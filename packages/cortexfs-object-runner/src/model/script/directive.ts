import { splitWords } from '@cortexfs/abi/command-words';
import { type ErrnoName, isErrnoName } from '@cortexfs/abi/errno';
import { CortexError } from '@cortexfs/abi/errors';
import { type JsonObject, parseJsonObject } from '@cortexfs/abi/json';
import { type ObjectName, parseObjectName } from '@cortexfs/abi/names';

export type Directive =
  | { readonly kind: 'call'; readonly name: ObjectName; readonly arguments: JsonObject }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'fail'; readonly code: ErrnoName };

/** Longest `!sleep`. */
export const MAX_SLEEP_MS = 600_000;

/**
 * The directives of a user message, one a line that begins with `!`; other lines are for people. EINVAL names the line:
 * the whole message is read before anything of it happens.
 */
export function parseScript(text: string): Directive[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.startsWith('!') ? [parseLine(line, index + 1)] : []));
}

function parseLine(line: string, number: number): Directive {
  const [, word = '', rest = ''] = /^!(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  const parse = Object.hasOwn(parsers, word) ? parsers[word] : undefined;
  try {
    if (parse !== undefined) return parse(rest);
    throw invalid(
      `unknown directive; known: ${Object.keys(parsers)
        .map((known) => `!${known}`)
        .join(' ')}`,
    );
  } catch (err) {
    if (!(err instanceof CortexError)) throw err;
    throw new CortexError('EINVAL', `script line ${number}: ${err.message}`, {
      layer: 'model',
      hint: err.hint,
    });
  }
}

const parsers: Readonly<Record<string, (rest: string) => Directive>> = {
  call(rest) {
    const [, name = '', json = ''] = /^(\S*)\s*(.*)$/s.exec(rest) ?? [];
    return { kind: 'call', name: parseObjectName(name), arguments: json === '' ? {} : parseJsonObject(json) };
  },
  tsh(rest) {
    const args = splitWords(rest);
    if (args.length === 0) throw invalid('!tsh needs at least one word');
    return { kind: 'call', name: parseObjectName('tsh'), arguments: { args } };
  },
  say: (text) => ({ kind: 'say', text }),
  sleep(rest) {
    const ms = /^\d{1,6}$/.test(rest) ? Number(rest) : Number.POSITIVE_INFINITY;
    if (ms > MAX_SLEEP_MS) throw invalid(`!sleep takes milliseconds from 0 to ${MAX_SLEEP_MS}`);
    return { kind: 'sleep', ms };
  },
  fail(code) {
    if (!isErrnoName(code)) throw invalid('!fail takes an errno name such as EHOSTDOWN');
    return { kind: 'fail', code };
  },
};

function invalid(why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'model' });
}
