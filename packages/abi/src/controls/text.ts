import { type Codec, control, invalid } from './codec.ts';

/** Free text of several lines: kept byte for byte, without control characters but newline and tab. */
export const text: Codec<string> = control({
  parse(content) {
    if (/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(content)) {
      const before = content.slice(0, content.search(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/));
      throw invalid('has a control character', { line: before.split('\n').length });
    }
    return content;
  },
  format: (content) => content,
});
