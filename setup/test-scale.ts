// How often a sweeping test repeats: a kill at each of 500 moments belongs into a night, 40 of them into every run.

/** The full number with CORTEXFS_TEST_SCALE=full (`npm run test:full`), else the everyday one. Both run the same code. */
export function atScale(full: number, everyday: number): number {
  return process.env.CORTEXFS_TEST_SCALE === 'full' ? full : everyday;
}
