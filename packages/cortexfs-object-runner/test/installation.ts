import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatObjectMetadata, type ObjectMetadata } from '@cortexfs/abi/object-metadata';
import type { Test } from 'tap';
import { scratch } from './object-file.ts';

/**
 * The built runner as it lies when installed, with peers beside it. A peer is given as the source of its bin. Returns a function that
 * makes objects for this runner.
 */
export function installation(
  t: Test,
  peers: Record<string, string>,
): (className: ObjectMetadata['class'], name: string) => string {
  const dir = scratch(t);
  const home = join(dir, 'cortexfs-object-runner');
  cpSync(join(import.meta.dirname, '../dist'), join(home, 'dist'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  for (const [name, source] of Object.entries(peers)) {
    mkdirSync(join(dir, name, 'dist'), { recursive: true });
    writeFileSync(join(dir, name, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(dir, name, 'dist', `${name}.js`), source);
  }
  const runner = join(dir, 'runner');
  writeFileSync(
    runner,
    `#!/bin/sh\nexec '${process.execPath}' '${join(home, 'dist/cortexfs-object-runner.js')}' "$@"\n`,
  );
  chmodSync(runner, 0o755);
  return (className, name) => {
    const path = join(dir, `object-${className}`);
    writeFileSync(
      path,
      formatObjectMetadata({ runner, class: className, name: name as ObjectMetadata['name'] }),
    );
    chmodSync(path, 0o755);
    return path;
  };
}
