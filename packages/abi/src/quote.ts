const LONGEST = 60;

/** A value as it may stand in a message: quoted, control characters escaped, cut after 60 characters. */
export function quoted(value: string): string {
  const cut = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  return JSON.stringify(cut).replace(/[\x7f-\x9f\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
