import { CortexError } from '../errors.ts';
import { parseSessionName, type SessionName } from '../names.ts';

/** `index/list`: one session a line, newest first, each once. An empty file is an empty list. */
export function parseSessionList(text: string): SessionName[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.pop() !== '') throw invalid(lines.length + 1, 'the last line has no newline');
  const seen = new Set<string>();
  return lines.map((line, index) => {
    const session = nameOnLine(line, index + 1);
    if (seen.has(session)) throw invalid(index + 1, `"${session}" is listed twice`);
    seen.add(session);
    return session;
  });
}

export function formatSessionList(sessions: readonly SessionName[]): string {
  return sessions.map((session) => `${session}\n`).join('');
}

/** The list with a session moved or added to its front. */
export function withNewest(sessions: readonly SessionName[], session: SessionName): SessionName[] {
  return [session, ...sessions.filter((other) => other !== session)];
}

/** `index/current` and `index/by-cwd/…`: one session name and a newline. */
export function parseCurrentSession(text: string): SessionName {
  if (!text.endsWith('\n')) throw invalid(1, 'the line has no newline');
  return nameOnLine(text.slice(0, -1), 1);
}

export function formatCurrentSession(session: SessionName): string {
  return `${session}\n`;
}

function nameOnLine(line: string, number: number): SessionName {
  try {
    return parseSessionName(line);
  } catch (error) {
    throw error instanceof CortexError ? invalid(number, error.message) : error;
  }
}

function invalid(line: number, why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'session', line });
}
