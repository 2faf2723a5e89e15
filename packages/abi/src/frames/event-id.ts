import { CortexError } from '../errors.ts';

/** `e` and the event's number in its session: `e17`. */
export type EventId = `e${number}`;

export function eventId(seq: number): EventId {
  return `e${seq}`;
}

/** The number of an event id; EINVAL when it is none. */
export function seqOf(id: string): number {
  const seq = /^e[1-9][0-9]{0,15}$/.test(id) ? Number(id.slice(1)) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  throw new CortexError('EINVAL', `${JSON.stringify(id.slice(0, 40))} is not an event id such as "e17"`, {
    layer: 'session',
  });
}

export function parseEventId(id: string): EventId {
  return eventId(seqOf(id));
}
