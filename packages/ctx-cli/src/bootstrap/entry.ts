/** One thing of the reference tree, by its path relative to the store. */
export type Entry =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly content: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

export const directory = (path: string, mode = 0o755): Entry => ({ kind: 'directory', path, mode });
export const file = (path: string, content: string, mode = 0o644): Entry => ({
  kind: 'file',
  path,
  mode,
  content,
});
export const link = (path: string, target: string): Entry => ({ kind: 'link', path, target });
