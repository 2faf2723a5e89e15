import { findPeerBin } from '@cortexfs/linux/peer-bin';
import { bareWord, usage, validate } from '../generated/tsh.js';
import type { Command, ProgramTool } from '../tool.ts';

export interface TshInput {
  readonly args: readonly string[];
}

/** tsh: one command line of the tool shell, which answers in frames of its own (docs/tools.md). */
export const tool: ProgramTool<TshInput> = {
  kind: 'program',
  check: validate,
  bareWord,
  usage,
  fromWords: (args) => ({ args }),
  command: commandLine,
};

function commandLine({ args }: TshInput): Command {
  return { program: process.execPath, args: [findPeerBin('tsh'), '--frames', ...args] };
}
