import { quoted } from '../quote.ts';
import { type Codec, control, invalid } from './codec.ts';
import { parseDecimal } from './number.ts';
import { formatPairs, type Pairs, parsePairs } from './pairs.ts';

/** The key that sets a step's time-out. It is read by the host and is no variable of the process. */
const STEP_TIMEOUT = 'step_timeout_s';
const DEFAULT_STEP_TIMEOUT = 300;
const LONGEST_STEP = 86_400;

/** `agent/NAME.d/env`: variables added to the agent's environment, `KEY=VALUE` a line (docs/controls.md). */
export const env: Codec<Pairs> = control({
  parse: (text) => parsePairs(text, /^[A-Za-z_][A-Za-z0-9_]*$/, checkVariable),
  format: formatPairs,
});

/** The variables that reach the agent's processes. */
export function environmentVariables(pairs: Pairs): Map<string, string> {
  const variables = new Map(pairs);
  variables.delete(STEP_TIMEOUT);
  return variables;
}

/** Seconds that a step may stay silent, from `step_timeout_s`; 300 when it is not set. */
export function stepTimeoutSeconds(pairs: Pairs): number {
  const text = pairs.get(STEP_TIMEOUT);
  return text === undefined ? DEFAULT_STEP_TIMEOUT : parseSeconds(text);
}

function checkVariable(key: string, value: string): void {
  if (key === STEP_TIMEOUT) parseSeconds(value);
  if (key.startsWith('CTX_')) {
    throw invalid(`may not set ${quoted(key)}: variables that begin with CTX_ are the host's`);
  }
}

function parseSeconds(text: string): number {
  return parseDecimal(text, STEP_TIMEOUT, { min: 1, max: LONGEST_STEP });
}
