import type { RequestContext } from '../../core/file-system.ts';

/** Who asks, by this transport's knowledge: always the one who mounted, for nobody else gets in. */
export function owner(): RequestContext {
  const [uid, gid, groups] = [process.geteuid!(), process.getegid!(), process.getgroups!()];
  return { uid, gid, pid: 0, groups: () => groups };
}
