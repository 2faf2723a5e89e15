import { quoted } from '../../quote.ts';
import { type Codec, control, invalid } from '../codec.ts';
import { oneLine } from '../lines.ts';
import { formatPairs, parsePairs } from '../pairs.ts';
import { parseWord } from '../word.ts';

export const DRIVERS = ['debug', 'openai-chat', 'openai-responses', 'anthropic-messages', 'google'] as const;
export type DriverName = (typeof DRIVERS)[number];

/** Drivers in order of preference: for a model that is executed, for an agent's calls, and for all other uses. */
export interface Driver {
  default: readonly DriverName[];
  exec?: readonly DriverName[];
  agent?: readonly DriverName[];
}

/** `model/P/M.d/driver`: one driver name, or a table of `default=`, `exec=`, `agent=` (docs/controls.md). */
export const driver: Codec<Driver> = control({
  parse: (text) => (text.includes('=') ? parseTable(text) : { default: [parseWord(oneLine(text), DRIVERS)] }),
  format(value) {
    const { default: names, exec, agent } = value;
    if (names.length === 1 && exec === undefined && agent === undefined) return `${names[0]}\n`;
    return formatPairs(
      new Map([
        ['default', names.join(',')],
        ...(exec === undefined ? [] : [['exec', exec.join(',')] as const]),
        ...(agent === undefined ? [] : [['agent', agent.join(',')] as const]),
      ]),
    );
  },
});

function parseTable(text: string): Driver {
  const table: Partial<Record<keyof Driver, DriverName[]>> = {};
  parsePairs(text, /^(?:default|exec|agent)$/, (use, names) => {
    table[use as keyof Driver] = parseNames(names);
  });
  if (table.default === undefined) throw invalid('must have a line default=…');
  return { ...table, default: table.default };
}

function parseNames(text: string): DriverName[] {
  const names = text.split(',').map((name) => parseWord(name, DRIVERS));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`repeats ${quoted(twice)}`);
  return names;
}
