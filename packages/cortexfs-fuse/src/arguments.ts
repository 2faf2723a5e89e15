import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CortexError } from '@cortexfs/abi/errors';
import { checkRunner } from '@cortexfs/abi/object-metadata';

export interface MountOptions {
  readonly source: string;
  readonly root: string;
  readonly runtime: string;
  readonly runner: string;
  readonly transport: Transport;
  readonly allowOther: boolean;
  /** Started by a service manager, which wants to know when the mount answers. */
  readonly foreground: boolean;
}

export const TRANSPORTS = ['kernel', 'fuse-native'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** The command line of cortexfs-fuse; EINVAL names what is wrong. */
export function parseArguments(args: readonly string[]): MountOptions {
  const values = parse(args);
  const runner = required(values, 'runner');
  checkRunner(runner);
  return {
    source: path(values, 'source'),
    root: path(values, 'mount'),
    runtime: path(values, 'runtime'),
    runner,
    transport: transportOf(values['transport'] ?? 'kernel'),
    allowOther: values['allow-other'] === true,
    foreground: values['foreground'] === true,
  };
}

type Values = Record<string, string | boolean | undefined>;

function parse(args: readonly string[]): Values {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        source: text,
        mount: text,
        runtime: text,
        runner: text,
        transport: text,
        'allow-other': flag,
        foreground: flag,
      },
    });
    return values;
  } catch (error) {
    throw invalid((error as Error).message.split('\n')[0]!);
  }
}

function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw invalid(`--${name} is missing`);
  return value;
}

function path(values: Values, name: string): string {
  const value = required(values, name);
  if (!isAbsolute(value)) throw invalid(`--${name} must be an absolute path, got ${JSON.stringify(value)}`);
  return resolve(value);
}

function transportOf(value: string | boolean): Transport {
  const transport = TRANSPORTS.find((known) => known === value);
  if (transport === undefined)
    throw invalid(`unknown transport ${JSON.stringify(value)}; there is ${TRANSPORTS.join(', ')}`);
  return transport;
}

function invalid(why: string): CortexError {
  return new CortexError('EINVAL', why, { hint: 'cortexfs-fuse --help' });
}
