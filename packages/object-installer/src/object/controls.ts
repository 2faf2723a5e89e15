import type { Manifest } from '@cortexfs/abi/manifest';

/** Optional in a manifest; an agent without them would not start. */
const AGENT_DEFAULTS = [['window', 'auto\n']] as const;

/** The control files that an installation writes: those of the manifest, and what it may leave to us. */
export function controlsToWrite({ class: objectClass, controls }: Manifest): ReadonlyMap<string, string> {
  return new Map([...(objectClass === 'agent' ? AGENT_DEFAULTS : []), ...controls]);
}
