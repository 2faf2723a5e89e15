import { type Codec, control, invalid } from '../codec.ts';
import { text } from '../text.ts';

/** `tool/NAME.d/description`: what the tool does, for people and models; not blank (docs/controls.md). */
export const description: Codec<string> = control({
  parse(content) {
    const value = text.parse(content).replace(/\n$/, '');
    if (value.trim() === '') throw invalid('must say what the tool does, but is blank');
    return value;
  },
  format: (value) => `${value}\n`,
});
