import { lstatSync } from 'node:fs';
import { controlEntry, controlNames, type ObjectClass } from '@cortexfs/abi/controls/registry';
import { CortexError, describeError, errorJson, fromNodeError } from '@cortexfs/abi/errors';
import { parseObjectMetadata } from '@cortexfs/abi/object-metadata';
import type { Invocation } from '../command/command.ts';
import { abiPath, fileAt } from '../place/abi-path.ts';
import { controlText, loadControl } from '../place/control-text.ts';
import { findModel } from '../place/model.ts';
import { liveRoot } from '../place/root.ts';
import { checkWindow } from '../place/window.ts';

/**
 * `ctx file check PATH`: whether a file is what its place asks for. A control is read by its codec, an executable as metadata, an alias must
 * lead to a model; a control directory is checked with all that it must hold. Every fault is told; exit 2 with any.
 */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const place = liveRoot(root);
  const path = abiPath(place, operands[0] ?? '');
  const faults = faultsOf(place, path);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ path, valid: faults.length === 0, faults: faults.map((fault) => errorJson(fault).error) })}\n`,
    );
  else if (faults.length === 0) process.stdout.write(`ok ${path || '/'}\n`);
  else for (const fault of faults) process.stderr.write(`ctx: ${describeError(fault)}\n`);
  return faults.length === 0 ? 0 : Math.max(...faults.map(({ exitCode }) => exitCode)) === 13 ? 13 : 2;
}

const CONTROLS = /^(?:home\/\d+\/)?(agent|tool|model)\/((?:[^/]+\/)?[^/]+)\.d(?:\/([^/]+))?$/;
const EXECUTABLE = /^(?:home\/\d+\/)?(agent|tool|model)\/((?:[^/]+\/)?[^/]+)$/;

export function faultsOf(root: string, path: string): CortexError[] {
  try {
    const stat = lstatSync(fileAt(root, path));
    const [, objectClass, , control] = CONTROLS.exec(path) ?? [];
    if (objectClass !== undefined && control === undefined)
      return directoryFaults(root, path, objectClass as ObjectClass);
    if (objectClass !== undefined)
      return found(controlFault(root, path, objectClass as ObjectClass, control!));
    if (stat.isSymbolicLink()) return found(aliasFault(root, path));
    return EXECUTABLE.test(path) && stat.isFile() ? found(metadataFault(root, path)) : [];
  } catch (error) {
    return [fromNodeError(error, { path })];
  }
}

function directoryFaults(root: string, path: string, objectClass: ObjectClass): CortexError[] {
  return controlNames(objectClass).flatMap((name) => {
    const fault = controlFault(root, `${path}/${name}`, objectClass, name);
    const absent = fault?.code === 'ENOENT' && controlEntry(objectClass, name)?.required === false;
    return fault === undefined || absent ? [] : [fault];
  });
}

function controlFault(
  root: string,
  path: string,
  objectClass: ObjectClass,
  name: string,
): CortexError | undefined {
  const entry = controlEntry(objectClass, name);
  if (entry === undefined)
    return new CortexError('EINVAL', `${name} is not a control of ${objectClass} objects`, {
      path,
      layer: 'control',
    });
  const value = loadControl(root, path, entry.codec);
  if (value instanceof CortexError) return value;
  try {
    const remark = checkWindow(root, path, entry.codec.format(value));
    return remark === undefined ? undefined : new CortexError('EINVAL', remark, { path, layer: 'model' });
  } catch (error) {
    return fromNodeError(error, { path });
  }
}

function aliasFault(root: string, path: string): CortexError | undefined {
  const [, uid, alias] = /^(?:home\/(\d+)\/)?model\/([^/]+)$/.exec(path) ?? [];
  if (alias === undefined || findModel(root, alias, Number(uid ?? 0)) !== undefined) return undefined;
  return new CortexError('ENOENT', 'it leads to no model', { path, layer: 'model', hint: 'ctx ls model' });
}

function metadataFault(root: string, path: string): CortexError | undefined {
  try {
    const { name } = parseObjectMetadata(controlText(root, path));
    if (path.endsWith(`/${name}`)) return undefined;
    return new CortexError('EINVAL', `it says that it is ${name}`, { path, layer: 'format' });
  } catch (error) {
    return fromNodeError(error, { path });
  }
}

const found = (fault: CortexError | undefined) => (fault === undefined ? [] : [fault]);
