import type { HostContext } from './host-context.ts';
import type { Session } from './session/session.ts';

/** Says in the session's history and in the log that the host began, and what it had to repair. */
export async function recordStart(
  host: HostContext,
  session: Session,
  recovered: readonly Session[],
): Promise<void> {
  const found = [...new Set([...recovered, session])].flatMap(repairsOf);
  for (const line of found) host.log(line);
  const body = { type: 'agent.start', agent: host.agent, role: 'socket', pid: process.pid } as const;
  session.events.append(found.length === 0 ? body : { ...body, found });
  await session.events.sync();
}

export async function recordStop(
  { agent, log }: HostContext,
  session: Session,
  reason: string,
): Promise<void> {
  log(`stopped by ${reason}`);
  session.events.append({ type: 'agent.stop', agent, reason });
  await session.events.sync();
}

function repairsOf({ name, repairs: { torn, settled } }: Session): string[] {
  return [
    ...torn.map(({ bytes, keptAt }) => `session ${name}: ${bytes} torn bytes were put aside in ${keptAt}`),
    ...settled.map(
      ({ run, status }) => `session ${name}: run ${run} was unfinished and ended with ${status}`,
    ),
  ];
}
