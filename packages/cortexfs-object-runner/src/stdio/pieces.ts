/** JSON may write one UTF-16 unit as six bytes: a piece of this length fits into a frame of 1 MiB whatever it holds. */
const LONGEST = 128 * 1024;

/** A text in pieces that each fit into a frame, cut between characters. */
export function pieces(text: string, longest = LONGEST): string[] {
  const result: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + longest);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) && end - at > 1) end--;
    result.push(text.slice(at, end));
    at = end;
  }
  return result;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
