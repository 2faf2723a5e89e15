import type { Attr, AttrChange } from '../file-system.ts';
import { refuse } from '../refuse.ts';

/** Mode and ownership of a control follow from the object; setting them to what they are is no change. */
export function requireSameIdentity(path: string, attr: Attr, { mode, uid, gid }: AttrChange): void {
  const same =
    (mode === undefined || (mode & 0o7777) === (attr.mode & 0o7777)) &&
    (uid === undefined || uid === attr.uid) &&
    (gid === undefined || gid === attr.gid);
  if (!same) throw refuse('EPERM', path, 'mode and owner of a control follow from its object');
}
