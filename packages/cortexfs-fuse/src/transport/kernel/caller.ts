import { groupsOf } from '@cortexfs/linux/process';
import type { RequestContext } from '../../core/file-system.ts';
import type { Request } from './wire/request.ts';

/** The process behind a request, by the kernel's word. */
export class Caller implements RequestContext {
  readonly uid: number;
  readonly gid: number;
  readonly pid: number;
  #groups: readonly number[] | undefined;

  constructor({ uid, gid, pid }: Request) {
    this.uid = uid;
    this.gid = gid;
    this.pid = pid;
  }

  // Read while the caller waits for the reply and so cannot exit: the pid cannot have been recycled.
  groups(): readonly number[] {
    this.#groups ??= groupsOf(this.pid) ?? [];
    return this.#groups;
  }
}
