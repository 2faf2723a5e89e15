import { systemProgram } from '../program/system-program.ts';

/** bash: a terminal program (docs/tools.md). */
export const tool = systemProgram('bash');
