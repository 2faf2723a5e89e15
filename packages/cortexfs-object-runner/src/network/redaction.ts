import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import { failureOf } from './failure.ts';

const SHORTEST = 6;

/** Takes a key out of what is told of a failure, also as a provider may repeat it: its beginning or its end, or escaped. */
export class Redaction {
  readonly #key: string | undefined;

  constructor(key: string | undefined) {
    this.#key = key;
  }

  failure(error: unknown, path: string): CortexError {
    const { code, message, layer, hint, path: own } = fromNodeError(failureOf(error));
    return new CortexError(code, this.text(message), {
      path: own ?? path,
      layer,
      hint: hint === undefined ? undefined : this.text(hint),
    });
  }

  text(text: string): string {
    const key = this.#key;
    if (key === undefined) return text;
    const forms = [
      key,
      encodeURIComponent(key),
      JSON.stringify(key).slice(1, -1),
      Buffer.from(key).toString('base64'),
    ];
    const whole = forms.reduce((left, form) => left.replaceAll(form, '***'), text);
    return whole
      .split(/(\s+)/)
      .map((word) => (this.#holdsPiece(word) ? '***' : word))
      .join('');
  }

  /** Whether a word repeats six or more characters of the key's beginning or end. */
  #holdsPiece(word: string): boolean {
    const key = this.#key!;
    if (key.length < SHORTEST) return word.includes(key);
    return word.includes(key.slice(0, SHORTEST)) || word.includes(key.slice(-SHORTEST));
  }
}
