import { CortexError } from '@cortexfs/abi/errors';
import { listens } from './listening.ts';

export const SUPERVISORS = ['systemd', 'direct'] as const;
/** Who keeps an instance: systemd's user manager as a transient unit, or nobody but its own receipt. */
export type Supervisor = (typeof SUPERVISORS)[number];

/**
 * The supervisor of a new instance: the wanted one, else systemd where a user manager answers.
 * @throws CortexError EHOSTDOWN when systemd is wanted and no user manager answers.
 */
export async function chooseSupervisor(wanted: Supervisor | undefined): Promise<Supervisor> {
  if (wanted === 'direct') return 'direct';
  const socket = managerSocket();
  if (await listens(socket)) return 'systemd';
  if (wanted === undefined) return 'direct';
  throw new CortexError('EHOSTDOWN', `no systemd user manager answers at ${socket}`, {
    layer: 'runtime',
    hint: 'log in through systemd or `loginctl enable-linger`; or leave --supervisor out',
  });
}

function managerSocket(): string {
  return `${process.env['XDG_RUNTIME_DIR'] || `/run/user/${process.geteuid!()}`}/systemd/private`;
}
