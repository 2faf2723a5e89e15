import { execFile } from 'node:child_process';
import { findHostProgram, type HostProgram } from '@cortexfs/linux/host-program';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `systemctl` or `systemd-run` for this user's manager to its end. */
export function systemd(program: HostProgram, args: readonly string[]): Promise<Ended> {
  const { XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, HOME } = process.env;
  const runtime = XDG_RUNTIME_DIR || `/run/user/${process.geteuid!()}`;
  const env = {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME,
    XDG_RUNTIME_DIR: runtime,
    DBUS_SESSION_BUS_ADDRESS: DBUS_SESSION_BUS_ADDRESS || `unix:path=${runtime}/bus`,
  };
  return new Promise((resolve) => {
    execFile(findHostProgram(program), ['--user', ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err: err.trim() }),
    );
  });
}

/** What the manager knows of a unit; an unknown one is `inactive` and has no process. */
export interface UnitFacts {
  readonly active: boolean;
  readonly pid: number;
  readonly invocation: string;
}

/** undefined when the manager does not answer. */
export async function unitFacts(unit: string): Promise<UnitFacts | undefined> {
  const { code, out } = await systemd('systemctl', [
    'show',
    '--property=ActiveState,MainPID,InvocationID',
    '--',
    unit,
  ]);
  if (code !== 0) return undefined;
  const facts = Object.fromEntries(out.split('\n').map((line) => line.split('=', 2)));
  const state = facts['ActiveState'] ?? '';
  return {
    active: ['active', 'activating', 'deactivating', 'reloading'].includes(state),
    pid: Number(facts['MainPID'] ?? 0),
    invocation: facts['InvocationID'] ?? '',
  };
}
