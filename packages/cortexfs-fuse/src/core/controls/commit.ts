import { CortexError, withContext } from '@cortexfs/abi/errors';
import { writeDurableSync } from '@cortexfs/linux/durable-write';
import type { RequestContext } from '../file-system.ts';
import { refuse } from '../refuse.ts';
import type { ControlPlace } from './place.ts';
import { decodeText } from './text.ts';
import { requireWindowFits } from './window.ts';

/** Replaces a control in one step, or throws and leaves the old value: EINVAL by its codec, EMSGSIZE, refusals, store errors. */
export function commitControl(control: ControlPlace, context: RequestContext, bytes: Buffer): void {
  control.requireWriter(context);
  const { store, places, self } = control.scope.world;
  const directory = places.directory(control.directory);
  if (directory === undefined) throw refuse('ENOENT', control.path, 'the object is gone');
  checkControl(control, bytes);
  const old = control.find();
  const directoryStat = store.stat(directory);
  writeDurableSync(store.entry(directory, control.name), bytes, {
    mode: old ? Number(old.mode) & 0o777 : 0o644,
    ...(self.uid === 0
      ? { owner: { uid: Number((old ?? directoryStat).uid), gid: Number((old ?? directoryStat).gid) } }
      : {}),
  });
}

/** Throws where the bytes are no value of the control, or none that the agent's other controls allow. */
export function checkControl(control: ControlPlace, bytes: Buffer): void {
  try {
    const value = control.entry!.codec.parse(decodeText(bytes));
    if (control.object.class === 'agent') requireWindowFits(control, value);
  } catch (error) {
    throw error instanceof CortexError ? withContext(error, { path: control.path }) : error;
  }
}
