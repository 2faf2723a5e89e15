/** How long what was found of the installation is believed: a run starts many sandboxes, an installation seldom changes. */
export const BELIEVED_MS = 10_000;

/** `find`, asked again for the same key only when its last answer is too old. */
export function remembered<T>(
  find: (key: string) => T,
  now: () => number = () => performance.now(),
): (key: string) => T {
  const answers = new Map<string, { at: number; answer: T }>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined && now() - known.at < BELIEVED_MS) return known.answer;
    const answer = find(key);
    answers.set(key, { at: now(), answer });
    return answer;
  };
}
