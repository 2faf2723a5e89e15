import type { Codec } from '@cortexfs/abi/controls/codec';
import { codecFor, controlEntry, type ObjectClass } from '@cortexfs/abi/controls/registry';
import { CortexError, type Layer } from '@cortexfs/abi/errors';

/** `agent/coder.d/model`, `tool/fs.read.d/policy`, `model/debug/echo.d/cap`; also below home/UID/. */
const control = /^(?:home\/\d+\/)?(agent|tool|model)\/(.+)\.d\/([^/]+)$/;

/**
 * The codec of the control that an ABI path names; undefined for a path that is no control.
 * @throws CortexError ENOENT for a file in a control directory that is not a control.
 */
export function codecOfPath(path: string): Codec<unknown> | undefined {
  const [, objectClass, , name] = control.exec(path) ?? [];
  if (objectClass === undefined || name === undefined) return undefined;
  const codec = codecFor(objectClass as ObjectClass, name);
  if (codec) return codec;
  throw new CortexError('ENOENT', `${name} is not a control of ${objectClass} objects`, {
    path,
    layer: 'control',
    hint: 'docs/controls.md lists them',
  });
}

const object = /^(?:home\/\d+\/)?(?:agent|tool|model)\/[^/]+(?:\/[^/]+)?$/;

/** Why the mount lets nobody, or not this person, write an ABI path; undefined when its name does not tell. */
export function refusalOf(path: string): { message: string; layer: Layer; hint?: string } | undefined {
  const [, objectClass, , name] = control.exec(path) ?? [];
  if (objectClass !== undefined && name !== undefined) {
    const writer = controlEntry(objectClass as ObjectClass, name)?.writer;
    if (writer === 'nobody') return { message: 'it shows the state of the runtime', layer: 'control' };
    if (writer === 'root') return { message: 'only uid 0 may set it', layer: 'credentials' };
    return undefined;
  }
  if (!object.test(path)) return undefined;
  return { message: 'it is not a control', layer: 'control', hint: `ctx ls ${path}.d lists the controls` };
}
