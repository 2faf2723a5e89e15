import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { abi } from '@cortexfs/abi/controls/abi';
import { approval, DEFAULT_APPROVAL } from '@cortexfs/abi/controls/approval';
import type { Codec } from '@cortexfs/abi/controls/codec';
import { cwd } from '@cortexfs/abi/controls/cwd';
import { env, environmentVariables, stepTimeoutSeconds } from '@cortexfs/abi/controls/env';
import { gid } from '@cortexfs/abi/controls/gid';
import { groups } from '@cortexfs/abi/controls/groups';
import { iso } from '@cortexfs/abi/controls/iso';
import { label } from '@cortexfs/abi/controls/label';
import { life } from '@cortexfs/abi/controls/life';
import { model } from '@cortexfs/abi/controls/model';
import { mount } from '@cortexfs/abi/controls/mount';
import { owner } from '@cortexfs/abi/controls/owner';
import { parent } from '@cortexfs/abi/controls/parent';
import { path } from '@cortexfs/abi/controls/path';
import { policy } from '@cortexfs/abi/controls/policy';
import { root } from '@cortexfs/abi/controls/root';
import { tools } from '@cortexfs/abi/controls/tools';
import { uid } from '@cortexfs/abi/controls/uid';
import { window } from '@cortexfs/abi/controls/window';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { agentControl, agentControls, agentExec } from '@cortexfs/abi/paths';
import { openBeneath } from '@cortexfs/linux/open-beneath';
import { readControl } from './control-file.ts';
import type { AgentDefinition } from './definition.ts';

/**
 * Reads an agent's controls below `at` (the store, or the mount's root) through descriptors, no link followed.
 * ENOENT when there is no such agent or a required control is missing; EINVAL names the control and its line; EACCES
 * when the controls belong to somebody else than the owner they name.
 */
export function loadDefinition(at: string, name: ObjectName): AgentDefinition {
  const directory = openControls(at, name);
  try {
    const read = <T>(control: string, codec: Codec<T>, missing?: T): T => {
      const text = readControl(directory, name, control);
      if (text === undefined && missing !== undefined) return missing;
      if (text === undefined) throw missingControl(name, control);
      return inControl(agentControl(name, control), () => codec.parse(text));
    };
    read('abi', abi);
    const variables = read('env', env, new Map());
    const definition: AgentDefinition = {
      name,
      owner: read('owner', owner),
      uid: read('uid', uid),
      gid: read('gid', gid),
      groups: read('groups', groups, []),
      label: read('label', label),
      iso: read('iso', iso),
      parent: read('parent', parent),
      life: read('life', life),
      root: read('root', root),
      cwd: read('cwd', cwd),
      env: environmentVariables(variables),
      stepTimeoutSeconds: stepTimeoutSeconds(variables),
      path: read('path', path, []),
      mount: read('mount', mount, []),
      model: read('model', model),
      tools: read('tools', tools, []),
      approval: read('approval', approval, DEFAULT_APPROVAL),
      window: read('window', window),
      policy: read('policy', policy),
    };
    requireOwner(directory, definition);
    return definition;
  } finally {
    closeSync(directory);
  }
}

function openControls(at: string, name: ObjectName): number {
  const { O_RDONLY, O_DIRECTORY } = constants;
  let base: number | undefined;
  try {
    base = openSync(at, O_RDONLY | O_DIRECTORY);
    return openBeneath(base, agentControls(name), O_RDONLY | O_DIRECTORY);
  } catch (error) {
    const failure = fromNodeError(error, { path: agentExec(name), layer: 'agent' });
    if (failure.code === 'ELOOP') throw linkInTheWay(name);
    if (failure.code !== 'ENOENT') throw failure;
    throw new CortexError('ENOENT', `there is no agent "${name}"`, {
      path: agentExec(name),
      layer: 'agent',
      hint: 'ctx ls agent',
      cause: error,
    });
  } finally {
    if (base !== undefined) closeSync(base);
  }
}

function linkInTheWay(name: ObjectName): CortexError {
  const path = agentControls(name);
  return new CortexError('ELOOP', 'is reached through a symbolic link', { path, layer: 'control' });
}

function requireOwner(directory: number, { name, owner }: AgentDefinition): void {
  const { uid: holder } = fstatSync(directory);
  if (holder === owner || holder === 0) return;
  throw new CortexError('EACCES', `owner says uid ${owner}, but the controls belong to uid ${holder}`, {
    path: agentControl(name, 'owner'),
    layer: 'credentials',
  });
}

function missingControl(name: ObjectName, control: string): CortexError {
  return new CortexError('ENOENT', 'the required control is missing', {
    path: agentControl(name, control),
    layer: 'control',
    hint: `ctx bootstrap, or write it with: ctx set ${agentControl(name, control)} VALUE`,
  });
}

function inControl<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof CortexError ? withContext(error, { path, layer: 'control' }) : error;
  }
}
