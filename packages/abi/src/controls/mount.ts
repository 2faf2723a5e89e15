import { quoted } from '../quote.ts';
import { parseAbsolutePath } from './absolute-path.ts';
import { atLine, type Codec, control, invalid } from './codec.ts';
import { allLines } from './lines.ts';
import { parseWord } from './word.ts';

export type MountMode = 'ro' | 'rw';
export type MountOption = 'bind' | 'rbind' | 'nosuid' | 'nodev' | 'noexec';

export interface MountEntry {
  /** Absolute path on the host. */
  source: string;
  /** Absolute path as the agent sees it. */
  target: string;
  mode: MountMode;
  /** In the order of the file; empty is written `-`. */
  options: readonly MountOption[];
}

const OPTIONS: readonly MountOption[] = ['bind', 'rbind', 'nosuid', 'nodev', 'noexec'];

/** `agent/NAME.d/mount`: `source TAB target TAB mode TAB options` a line (docs/controls.md). */
export const mount: Codec<readonly MountEntry[]> = control({
  parse(text) {
    const targets = new Set<string>();
    return allLines(text).map(({ number, text: line }) =>
      atLine(number, () => {
        const entry = parseEntry(line);
        if (targets.has(entry.target)) throw invalid(`mounts ${quoted(entry.target)} a second time`);
        targets.add(entry.target);
        return entry;
      }),
    );
  },
  format: (entries) => entries.map(formatEntry).join(''),
});

function parseEntry(line: string): MountEntry {
  const fields = line.split('\t');
  const [source, target, mode, options] = fields;
  if (
    fields.length !== 4 ||
    source === undefined ||
    target === undefined ||
    mode === undefined ||
    options === undefined
  ) {
    throw invalid(`must have 4 fields with one TAB between them, has ${fields.length}`, {
      hint: 'write source<TAB>target<TAB>ro|rw<TAB>options, with - for no options',
    });
  }
  return {
    source: parseAbsolutePath(source, 'source'),
    target: parseAbsolutePath(target, 'target'),
    mode: parseWord(mode, ['ro', 'rw']),
    options: parseOptions(options),
  };
}

function parseOptions(text: string): MountOption[] {
  if (text === '-') return [];
  const options: MountOption[] = [];
  for (const word of text.split(',')) {
    const option = OPTIONS.find((known) => known === word);
    if (option === undefined) throw invalid(`has an unknown option ${quoted(word)}`);
    if (options.includes(option)) throw invalid(`repeats the option ${quoted(word)}`);
    options.push(option);
  }
  if (options.includes('bind') && options.includes('rbind')) throw invalid('has both "bind" and "rbind"');
  return options;
}

function formatEntry({ source, target, mode, options }: MountEntry): string {
  return `${source}\t${target}\t${mode}\t${options.join(',') || '-'}\n`;
}
