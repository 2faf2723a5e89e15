import { wordControl } from './word.ts';

export type ObjectStatus = 'ready' | 'unavailable';

/** `status` of tools and models: whether a call would find its implementation (docs/controls.md). Never written. */
export const objectStatus = wordControl(['ready', 'unavailable']);
