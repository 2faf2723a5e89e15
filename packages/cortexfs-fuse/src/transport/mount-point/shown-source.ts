/** What the mount table names as source. Commas and the like would need quoting that mount and fusermount3 do not share. */
export function shownSource(source: string): string {
  return /^\/[\w/.+@:-]*$/.test(source) ? source : 'cortexfs';
}
