import type { RequestContext } from '../file-system.ts';
import { requireRuntimeTarget } from '../runtime/target.ts';
import { subzone, type Zone } from '../tree/zone.ts';

/** The zone of one user's home: everything below it is that user's. */
export function homeZone(homes: Zone, uid: number): Zone {
  return subzone(homes, String(uid), {
    checkSymlink(_context: RequestContext, path: string, target: string) {
      if (TERMINAL_ALIAS.test(path)) requireRuntimeTarget(homes.world, uid, path, target);
    },
  });
}

const TERMINAL_ALIAS = /^home\/[0-9]+\/agent\/[^/]+\/session\/[^/]+\/terminal\/main\.sock$/;
