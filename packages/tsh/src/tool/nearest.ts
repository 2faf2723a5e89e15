/** The known name that a person most likely meant, if one is near: a typing slip or a beginning. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  if (names.includes(word)) return word;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const distance = name.startsWith(word) && word.length > 1 ? 1 : editDistance(word, name, bestDistance);
    if (distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbours; anything from `limit` on counts as `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, previous[j]! + 1, current[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      current.push(least);
    }
    if (Math.min(...current) >= limit) return limit;
    before = previous;
    previous = current;
  }
  return Math.min(limit, previous[b.length]!);
}
