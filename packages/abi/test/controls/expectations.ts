import type { Test } from 'tap';
import type { Codec } from '../../src/controls/codec.ts';
import { CortexError } from '../../src/errors.ts';

/** Texts that must be refused: the text, a part of the message, and the line where there is one. */
export type Refusals = readonly (readonly [text: string, message: string | RegExp, line?: number])[];

/** Each text gives its value, and the value is written back as the text. */
export function canonical<T>(t: Test, codec: Codec<T>, table: readonly (readonly [string, T])[]): void {
  for (const [text, value] of table) {
    t.same(codec.parse(text), value, `reads ${JSON.stringify(text)}`);
    t.equal(codec.format(value), text, `writes ${JSON.stringify(text)}`);
  }
}

/** Each text is refused by EINVAL (or the code given) with this message. */
export function refused(t: Test, codec: Codec<unknown>, table: Refusals, code = 'EINVAL'): void {
  for (const [text, message, line] of table) {
    const shown = JSON.stringify(text.slice(0, 60));
    try {
      codec.parse(text);
      t.fail(`must refuse ${shown}`);
    } catch (err) {
      if (!(err instanceof CortexError)) throw err;
      t.equal(err.code, code, `code for ${shown}`);
      if (typeof message === 'string') t.ok(err.message.includes(message), `${shown}: ${err.message}`);
      else t.match(err.message, message, `message for ${shown}`);
      t.equal(err.line, line, `line for ${shown}`);
    }
  }
}
