import { systemProgram } from '../program/system-program.ts';

/** zellij: a terminal program (docs/tools.md). */
export const tool = systemProgram('zellij');
