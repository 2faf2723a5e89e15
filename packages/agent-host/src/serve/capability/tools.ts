import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { description } from '@cortexfs/abi/controls/tool/description';
import { parseJsonObject } from '@cortexfs/abi/json';
import type { ModelTool } from '@cortexfs/abi/model-io';
import { type ObjectName, parseObjectName } from '@cortexfs/abi/names';
import { toolControl } from '@cortexfs/abi/paths';
import { readBeneath } from '../beneath.ts';

const TSH = parseObjectName('tsh');

/** tsh and the declared tools as a model is told of them; one whose controls cannot be read is left out. */
export function offeredTools(store: string, declared: readonly ObjectName[]): ModelTool[] {
  return [TSH, ...declared].flatMap((name) => {
    const tool = readTool(store, name);
    return tool === undefined ? [] : [tool];
  });
}

function readTool(store: string, name: ObjectName): ModelTool | undefined {
  try {
    const told = readBeneath(store, toolControl(name, 'description'), MAX_CONTROL_BYTES);
    const schema = readBeneath(store, toolControl(name, 'schema'), MAX_CONTROL_BYTES);
    if (told === undefined || schema === undefined) return undefined;
    return { name, description: String(description.parse(told)), schema: parseJsonObject(schema) };
  } catch {
    // What is broken cannot be called either: the call would say so.
    return undefined;
  }
}
