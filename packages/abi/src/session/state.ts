import { CortexError } from '../errors.ts';

export const SESSION_STATES = ['idle', 'active', 'done', 'error', 'cancelled'] as const;

/** A session's `state` file: one of these words and a newline. See docs/sessions.md. */
export type SessionState = (typeof SESSION_STATES)[number];

export function parseSessionState(text: string): SessionState {
  const state = SESSION_STATES.find((word) => text === `${word}\n`);
  if (state) return state;
  throw new CortexError(
    'EINVAL',
    `${JSON.stringify(text.slice(0, 40))} is not a session state: one of ${SESSION_STATES.join(' ')}, then a newline`,
    { layer: 'session' },
  );
}

export function formatSessionState(state: SessionState): string {
  return `${state}\n`;
}
