import type { Kind } from '../node/kind.ts';
import { DIRECTORY, REGULAR, SYMLINK } from '../store/mode.ts';

/** The kind of an ordinary file or directory, from where it stands. */
export function kindAt(path: string, type: number): Kind {
  if (type === SYMLINK) return 'ctx.symlink';
  if (type === DIRECTORY) return directoryKind(path);
  if (type !== REGULAR) return 'ctx.unknown';
  const inSession = session.exec(path)?.[1];
  if (inSession === '/messages.jsonl') return 'ctx.session.messages';
  if (inSession === '/events.jsonl') return 'ctx.session.events';
  return 'ctx.ordinary';
}

function directoryKind(path: string): Kind {
  if (session.exec(path)?.[1] === '') return 'ctx.session.dir';
  if (/^shared(\/[^/]+)?$/.test(path)) return 'ctx.shared.dir';
  if (/^home(\/[^/]+)?$/.test(path)) return 'ctx.home.dir';
  return 'ctx.ordinary';
}

/** A session directory, private or shared, and the rest of the path below it. */
const session = /^(?:home|shared)\/[^/]+\/agent\/[^/]+\/session\/(?!index(?:\/|$))[^/]+(|\/.*)$/s;
