import type { Act } from './actor.ts';

export type ActorName = 'root' | 'alice' | 'bob';
export const ACTORS: readonly ActorName[] = ['root', 'alice', 'bob'];

/** One operation by one actor, and the errno name that Linux users would expect. */
export interface Cell extends Act {
  readonly actor: ActorName;
  readonly expected: string;
}

/**
 * A table of lines `OP PATH [ARGUMENT] | ROOT ALICE BOB`: the errno name for each actor, `ok`, or `-` for one who does not try.
 * Words of capitals in braces are looked up, `{x}` is the actor's name. Arguments that begin with `./` are paths below the root.
 */
export function cellsOf(table: string, words: Readonly<Record<string, string>>, root: string): Cell[] {
  const rows = table.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return ACTORS.flatMap((actor, column) =>
    rows.flatMap((row): Cell[] => {
      const [act = '', outcomes = ''] = row.split(' | ');
      const expected = outcomes.trim().split(/\s+/)[column];
      if (expected === undefined) throw new Error(`no outcome for ${actor}: ${row}`);
      if (expected === '-') return [];
      const [op = '', path = '', argument = ''] = filled(act.trim(), { ...words, x: actor }).split(/\s+/);
      return [
        {
          actor,
          expected,
          op,
          path: path === '/' ? root : `${root}/${path}`,
          argument: argument.startsWith('./') ? `${root}/${argument.slice(2)}` : argument,
        },
      ];
    }),
  );
}

function filled(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, word: string) => {
    const value = words[word];
    if (value === undefined) throw new Error(`{${word}} is not defined`);
    return value;
  });
}
