/** One matching line. `file` is the path as it was asked for, with what is below it. */
export interface Match {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Longest text of a match in characters. */
export const MAX_TEXT = 500;
/** Larger files are not searched. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** What a search asks for, once its path was resolved. */
export interface Search {
  /** A path that means the directory or file itself, held. */
  readonly place: string;
  /** As it was asked for, for the matches. */
  readonly shown: string;
  readonly pattern: string;
  readonly glob: string | undefined;
  /** One more than wanted: then it is known that there are more. */
  readonly most: number;
}

export function shortened(text: string): string {
  const line = text.replace(/\r$/, '');
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 3)}...`;
}

/** `a/` and `b` below each other without a doubled slash. */
export function below(shown: string, path: string): string {
  return shown.endsWith('/') ? `${shown}${path}` : `${shown}/${path}`;
}
