/** The serving thread's module beside this one, in the sources as in the bundle. */
export const workerModule = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);
