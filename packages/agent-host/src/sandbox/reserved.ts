import { SANDBOX } from '@cortexfs/abi/paths';
import { within } from './closure/closure.ts';

/** Places whose content the sandbox itself decides: nothing may be mounted on, in or around them. */
const RESERVED = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/var',
  '/boot',
  SANDBOX.root,
];

export function reservedTarget(target: string): boolean {
  if (target === '/' || [SANDBOX.workspace, SANDBOX.home, '/tmp'].includes(target)) return true;
  return RESERVED.some((place) => within(place, target) || within(target, place));
}
