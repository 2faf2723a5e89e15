import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { description } from '@cortexfs/abi/controls/tool/description';
import { CortexError } from '@cortexfs/abi/errors';
import { parseJsonObject } from '@cortexfs/abi/json';
import type { ModelTool } from '@cortexfs/abi/model-io';
import { type ObjectName, parseObjectName } from '@cortexfs/abi/names';
import { toolControls } from '@cortexfs/abi/paths';
import { readBeneath } from '../beneath.ts';

const TSH = parseObjectName('tsh');

/** tsh and the declared tools as a model is told of them; one whose controls cannot be read is left out. */
export function offeredTools(store: string, declared: readonly ObjectName[]): ModelTool[] {
  return [TSH, ...declared].flatMap((name) => {
    const tool = readTool(store, name);
    return tool === undefined ? [] : [tool];
  });
}

/** A tool by its controls. ENOENT when one of them is missing, EINVAL when it is broken. */
export function describeTool(store: string, controls: string, name: ObjectName): ModelTool {
  const read = (control: string): string => {
    const text = readBeneath(store, `${controls}/${control}`, MAX_CONTROL_BYTES);
    if (text !== undefined) return text;
    throw new CortexError('ENOENT', 'the control is missing', {
      path: `${controls}/${control}`,
      layer: 'control',
    });
  };
  return {
    name,
    description: String(description.parse(read('description'))),
    schema: parseJsonObject(read('schema')),
  };
}

function readTool(store: string, name: ObjectName): ModelTool | undefined {
  try {
    return describeTool(store, toolControls(name), name);
  } catch {
    // What is broken cannot be called either: the call would say so.
    return undefined;
  }
}
