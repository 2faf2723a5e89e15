// Runs several test files in one process: for tests that share nothing but the process. See run-tap.mjs.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
