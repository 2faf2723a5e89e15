import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Control files of one reference object, by name. */
export type Controls = Readonly<Record<string, string>>;

export interface Reference {
  readonly agents: Readonly<Record<string, Controls>>;
  readonly tools: Readonly<Record<string, Controls>>;
}

/** Where the build puts the reference objects: `agent/NAME/CONTROL` and `tool/NAME/CONTROL`, beside the bundle. */
const bundled = join(dirname(fileURLToPath(import.meta.url)), 'reference');

/** The reference agents and tools that this version ships. */
export function readReference(folder: string = bundled): Reference {
  return { agents: readObjects(join(folder, 'agent')), tools: readObjects(join(folder, 'tool')) };
}

function readObjects(folder: string): Record<string, Controls> {
  return Object.fromEntries(names(folder).map((name) => [name, readControls(join(folder, name))]));
}

function readControls(folder: string): Controls {
  const files = names(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function names(folder: string): string[] {
  return readdirSync(folder).sort();
}
