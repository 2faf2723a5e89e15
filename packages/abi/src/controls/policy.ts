import { formatPolicy, type Policy, parsePolicy } from '../policy.ts';
import { type Codec, control } from './codec.ts';

/** `agent/NAME.d/policy` and `tool/NAME.d/policy`: what subjects may do (docs/policy.md). */
export const policy: Codec<Policy> = control({ parse: parsePolicy, format: formatPolicy });
