import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type Codec, MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import { defaults } from '@cortexfs/abi/controls/model/default';
import { type Driver, driver } from '@cortexfs/abi/controls/model/driver';
import { type Effort, effort } from '@cortexfs/abi/controls/model/effort';
import { id } from '@cortexfs/abi/controls/model/id';
import type { Pairs } from '@cortexfs/abi/controls/pairs';
import { CortexError, fromNodeError, withContext } from '@cortexfs/abi/errors';

/** What the controls of a model say about its calls. */
export interface Settings {
  /** The provider's own name of the model. */
  readonly id: string;
  readonly driver: Driver;
  readonly effort: Effort;
  readonly parameters: Pairs;
}

/** The controls beside an executable as they are now. `path` is the object's ABI path, for errors. */
export function readSettings(file: string, path: string): Settings {
  const read = <T>(name: string, codec: Codec<T>, missing?: string) =>
    readControl(`${file}.d/${name}`, `${path}.d/${name}`, codec, missing);
  return {
    id: read('id', id),
    driver: read('driver', driver),
    effort: read('effort', effort, 'auto\n'),
    parameters: read('default', defaults, ''),
  };
}

/** Parameters of a call by their names in `default`, and the least and most that each may be. */
export const PARAMETERS = {
  temperature: [0, 10],
  top_p: [0, 1],
  top_k: [0, 100_000],
  max_tokens: [1, 0xffff_ffff],
  seed: [0, Number.MAX_SAFE_INTEGER],
  presence_penalty: [-10, 10],
  frequency_penalty: [-10, 10],
  /** Seconds for a connection to stand, TLS included. */
  connect_timeout_s: [0.01, 600],
  /** Seconds from the request to the first thing that the model says. */
  first_token_timeout_s: [0.01, 3600],
  /** Seconds between two things that it says. */
  stall_timeout_s: [0.01, 3600],
  /** Seconds that one call and its retries may wait altogether before it is tried again. */
  retry_budget_s: [0, 600],
  /** Seconds before the first retry, about; twice as many before the second. */
  retry_delay_s: [0, 60],
} as const;
export type Parameter = keyof typeof PARAMETERS;
export type Parameters = Partial<Record<Parameter, number>>;

/** EINVAL for a parameter that no driver knows, or a value out of its range. */
export function parseParameters(pairs: Pairs, path: string): Parameters {
  const result: Parameters = {};
  for (const [key, value] of pairs) {
    if (!isParameter(key)) throw refused(path, `unknown parameter "${key}"`);
    const [least, most] = PARAMETERS[key];
    const number = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw refused(path, `${key} is a number from ${least} to ${most}`);
    result[key] = number;
  }
  return result;
}

function isParameter(key: string): key is Parameter {
  return Object.hasOwn(PARAMETERS, key);
}

function refused(path: string, why: string): CortexError {
  const hint = `known: ${Object.keys(PARAMETERS).join(' ')}`;
  return new CortexError('EINVAL', why, { path: `${path}.d/default`, layer: 'control', hint });
}

function readControl<T>(file: string, path: string, codec: Codec<T>, missing?: string): T {
  try {
    return codec.parse(textOf(file, missing));
  } catch (error) {
    throw error instanceof CortexError ? withContext(error, { path }) : fromNodeError(error, { path });
  }
}

function textOf(file: string, missing: string | undefined): string {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (missing !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
  try {
    if (!fstatSync(fd).isFile() || fstatSync(fd).size > MAX_CONTROL_BYTES)
      throw new CortexError('EINVAL', 'is not a control file', { layer: 'control' });
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
