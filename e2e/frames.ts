/** One parsed line of JSONL. */
export interface Frame {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** The frames of a JSONL text, each line of which must parse. */
export function framesOf(text: string): Frame[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error(`the last line is torn: ${text.slice(-80)}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Frame);
}

/** The types of frames, in order, without those that depend on timing. */
export function typesOf(frames: readonly Frame[]): string[] {
  return frames.map(({ type }) => String(type)).filter((type) => type !== 'delta');
}
