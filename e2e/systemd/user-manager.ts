import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Account, OwnMachine } from '../own-machine.ts';
import { until } from '../until.ts';

/** There is no logind, which would make the runtime directory and, through PAM, tell the manager of it. */
const DIRECTORY_IS_THERE = '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n';
const DIRECTORY = '[Service]\nPAMName=\nEnvironment=XDG_RUNTIME_DIR=/run/user/%i\n';

/**
 * Starts the user manager of somebody with a login session on a machine that systemd runs. Returns what the
 * environment of a login has of it.
 */
export async function startUserManager(machine: OwnMachine, { uid }: Account): Promise<NodeJS.ProcessEnv> {
  const runtime = `/run/user/${uid}`;
  const units = machine.at('/run/systemd/system');
  writeFileSync(`${units}/user-runtime-dir@${uid}.service`, DIRECTORY_IS_THERE);
  mkdirSync(`${units}/user@${uid}.service.d`, { recursive: true });
  writeFileSync(`${units}/user@${uid}.service.d/runtime.conf`, DIRECTORY);
  const started = await machine.run(['systemctl', 'start', `user@${uid}.service`]);
  if (started.code !== 0) {
    const { out } = await machine.run(['systemctl', 'status', `user@${uid}.service`]);
    throw new Error(`the user manager does not start: ${started.err}\n${out}`);
  }
  await until('its bus', () => existsSync(machine.at(`${runtime}/bus`)));
  return { XDG_RUNTIME_DIR: runtime, DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus` };
}
