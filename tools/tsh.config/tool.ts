import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config, DEFAULT_TOOL_LIMITS, type ToolLimits } from '@cortexfs/abi/controls/tool/config';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';
import { writeDurable } from '@cortexfs/linux/durable-write';
import { findPlace } from '@cortexfs/linux/place';
import { bareWord, usage, validate } from '../generated/tsh.config.js';
import type { FrameTool, ToolOutput } from '../tool.ts';

export interface ConfigInput extends Partial<ToolLimits> {
  /** Begin from the defaults, not from what is set. */
  readonly reset?: boolean;
}

/** tsh.config: shows or changes how many tools tsh keeps loaded (docs/tools.md). */
export const tool: FrameTool<ConfigInput> = { kind: 'frames', check: validate, bareWord, usage, run };

const CONFIG = 'tool/tsh.d/config';

async function run({ reset = false, ...wanted }: ConfigInput, out: ToolOutput): Promise<void> {
  const file = join(findPlace().root, CONFIG);
  const change = reset || Object.keys(wanted).length > 0;
  const set = { ...(reset ? {} : current(file)), ...wanted };
  if (change) await write(file, config.format(set));
  out.message(JSON.stringify({ ...DEFAULT_TOOL_LIMITS, ...set }));
}

/** A control that cannot be read is not silently replaced: `reset` does that. */
function current(file: string): Partial<ToolLimits> {
  try {
    return config.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    const fault = fromNodeError(error, { path: CONFIG, layer: 'control' });
    throw withContext(fault, { path: CONFIG, hint: 'call it with {"reset":true} to begin anew' });
  }
}

/** The kernel and the mount decide who may; an agent's view can be written only where its `mount` control says so. */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeDurable(file, text, { mode: 0o644 });
  } catch (error) {
    const { code, message } = fromNodeError(error);
    throw new CortexError(code, message, {
      path: CONFIG,
      layer: 'control',
      hint: 'the owner of tool/tsh changes it, outside of a sandbox: ctx tool run tsh.config',
    });
  }
}
