import { NotFound } from '../shell.ts';
import { type Builtin, type Context, Misuse } from './builtin.ts';

export const type: Builtin = {
  usage: 'NAME…',
  summary: 'what a name means: a builtin, or which file',
  async run(context, args) {
    if (args.length === 0) throw new Misuse('at least one name');
    const { builtinOf } = await import('./table.ts');
    const meanings = args.map((name) => ({
      name,
      ...(builtinOf(name) ? { kind: 'builtin' } : tool(context, name)),
    }));
    if (context.json) context.out(`${JSON.stringify(meanings)}\n`);
    else for (const meaning of meanings) say(context, meaning);
    return meanings.some(({ kind }) => kind === 'unknown') ? 1 : 0;
  },
};

function tool({ shell }: Context, name: string): { kind: 'tool' | 'unknown'; path?: string } {
  try {
    return { kind: 'tool', path: shell.find(name).file };
  } catch (error) {
    if (error instanceof NotFound) return { kind: 'unknown' };
    throw error;
  }
}

function say(
  { out, err }: Context,
  { name, kind, path }: { name: string; kind: string; path?: string },
): void {
  if (kind === 'builtin') out(`${name} is a builtin\n`);
  else if (kind === 'tool') out(`${name} is ${path}\n`);
  else err(`tsh: type: ${name}: not found\n`);
}
