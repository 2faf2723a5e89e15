import { STEP_ENVIRONMENT, TERMINAL_ENVIRONMENT } from '@cortexfs/abi/paths';

/** Besides what the terminal was started with: how text looks and which time it is. */
const HARMLESS = /^(?:LANGUAGE|LC_[A-Z]+|TZ|COLORTERM|NO_COLOR|COLUMNS|LINES)$/;

/**
 * The environment of a tool. In an agent's terminal only the variables that the terminal itself may have, with a fixed PATH:
 * nothing that makes a loader, an interpreter or a shell run something else first. A person's tool gets the person's own.
 */
export function toolEnvironment(env: NodeJS.ProcessEnv, inAgent: boolean): NodeJS.ProcessEnv {
  if (!inAgent) return env;
  const allowed = new Set<string>([...TERMINAL_ENVIRONMENT, ...STEP_ENVIRONMENT]);
  const kept = Object.entries(env).filter(([name]) => allowed.has(name) || HARMLESS.test(name));
  return { ...Object.fromEntries(kept), PATH: '/usr/bin:/bin' };
}
