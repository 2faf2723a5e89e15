import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseObjectName } from '@cortexfs/abi/names';
import type { Tier } from '@cortexfs/abi/receipt/object';
import { sha256Of, toolManifest } from '../object-folder.ts';

const uid = process.geteuid!();

/** Where a sync costs nothing, if there is such a place. */
function quickFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

/** Manifests with their executables, and a store, in one folder. Needs no test around it, so that drivers can use it too. */
export class Site {
  readonly folder: string;
  readonly store: string;
  readonly tier: Tier;
  readonly name = parseObjectName('example.echo');

  constructor(tier: Tier = 'user', parent = quickFolder(), folder = mkdtempSync(join(parent, 'ctx-oi-'))) {
    this.folder = folder;
    this.store = join(folder, 'store');
    this.tier = tier;
    if (existsSync(this.store)) return;
    chmodSync(this.folder, 0o755);
    mkdirSync(this.store, { mode: 0o755 });
    chmodSync(this.store, 0o755);
  }

  /** Where objects of the class are, below the store. */
  get place(): string {
    return this.tier === 'system' ? 'tool' : `home/${uid}/tool`;
  }

  get target() {
    return { class: 'tool', name: this.name, tier: this.tier } as const;
  }

  at(path: string): string {
    return join(this.store, this.place, path);
  }

  /** Writes a manifest of this version whose executable holds these bytes; returns its path. */
  manifest(version: string, content = `#!/bin/sh\necho ${version}\n`, change: object = {}): string {
    const folder = join(this.folder, `v${version}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'run'), content, { mode: 0o755 });
    chmodSync(join(folder, 'run'), 0o755);
    const executable = { path: 'run', sha256: sha256Of(content) };
    const file = join(folder, 'object.json');
    writeFileSync(file, JSON.stringify(toolManifest({ version, executable, ...change })));
    return file;
  }

  manifestOfVersion1(content = 'first'): string {
    const file = this.manifest('0.0.1', content);
    const { version: _, compatibility: __, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...rest, schema: 'cortexfs.object/v1' }));
    return file;
  }

  /** Every path below the store, without the lock files. */
  tree(): string[] {
    return treeOf(this.store).filter((path) => !path.endsWith('/.cortexfs-lock'));
  }

  /** The names where objects are, without the lock file. */
  names(): string[] {
    try {
      return readdirSync(join(this.store, this.place))
        .filter((name) => name !== '.cortexfs-lock')
        .sort();
    } catch {
      return [];
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function treeOf(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below))
    .sort()
    .flatMap((name) => {
      const path = below === '' ? name : `${below}/${name}`;
      return lstatSync(join(folder, path)).isDirectory() ? [path, ...treeOf(folder, path)] : [path];
    });
}

/** A site that is gone after the test. */
export function siteFor(t: { teardown(work: () => void): unknown }, tier: Tier = 'user'): Site {
  const site = new Site(tier);
  t.teardown(() => site.remove());
  return site;
}

/** A site that another process made. */
export function reopened(folder: string): Site {
  return new Site('user', undefined, folder);
}
