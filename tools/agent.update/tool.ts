import type { AgentUpdateRequest } from '@cortexfs/abi/frames/capability';
import { ask, currentRun } from '../capability/ask.ts';
import { bareWord, usage, validate } from '../generated/agent.update.js';
import type { FrameTool, ToolOutput } from '../tool.ts';

export type UpdateInput = Pick<AgentUpdateRequest, 'control' | 'content'>;

/** agent.update: the run's own agent gets another prompt text (docs/tools.md). */
export const tool: FrameTool<UpdateInput> = { kind: 'frames', check: validate, bareWord, usage, run: update };

async function update({ control, content }: UpdateInput, out: ToolOutput): Promise<void> {
  await ask({ op: 'agent.update', ...currentRun(), control, content });
  out.message(JSON.stringify({ control, bytes: Buffer.byteLength(content), effective: 'next run' }));
}
