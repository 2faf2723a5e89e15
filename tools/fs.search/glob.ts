/**
 * Whether a path relative to the searched directory fits a glob: `*` and `?` within a name, `**` across names, `{a,b}`. A glob
 * without a slash is about the name alone.
 */
export function globTest(glob: string): (path: string) => boolean {
  const expression = new RegExp(`^${translate(glob.replace(/^\//, ''))}$`, 's');
  if (glob.includes('/')) return (path) => expression.test(path);
  return (path) => expression.test(path.slice(path.lastIndexOf('/') + 1));
}

function translate(glob: string): string {
  let depth = 0;
  return (
    glob.replace(/\*\*\/|\*\*|\*|\?|\{|\}|,|[.+^$()|[\]\\/-]/g, (part) => {
      switch (part) {
        case '**/':
          return '(?:.*/)?';
        case '**':
          return '.*';
        case '*':
          return '[^/]*';
        case '?':
          return '[^/]';
        case '{':
          depth++;
          return '(?:';
        case '}':
          if (depth === 0) return '\\}';
          depth--;
          return ')';
        case ',':
          return depth > 0 ? '|' : ',';
        default:
          return `\\${part}`;
      }
    }) + ')'.repeat(depth)
  );
}
