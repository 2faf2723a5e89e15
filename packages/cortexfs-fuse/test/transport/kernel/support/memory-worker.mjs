// A worker thread does not inherit the loader that lets tests run TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./memory-worker.ts');
