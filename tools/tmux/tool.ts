import { systemProgram } from '../program/system-program.ts';

/** tmux: a terminal program (docs/tools.md). */
export const tool = systemProgram('tmux');
