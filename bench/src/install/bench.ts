import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../median.ts';
import type { Row } from '../table.ts';
import { type Finished, timed } from './timed.ts';

const MEGABYTE = 1024 * 1024;
const SIZE = 1024 * MEGABYTE;
const ROUNDS = 3;
const installer = fileURLToPath(
  new URL('../../../packages/object-installer/dist/object-installer.js', import.meta.url),
);

/** The installation of a 1 GB artifact against `sha256sum`, `cp` and `sync` of it, in turn (docs/bench.md). */
export async function benchInstall(): Promise<Row[]> {
  // Not in memory: what is measured ends with the sync.
  const folder = mkdtempSync('/var/tmp/cortexfs-bench-');
  try {
    const manifest = writeObject(folder);
    const [ours, theirs]: [Finished[], Finished[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await install(folder, manifest, round));
      theirs.push(await byHand(folder));
    }
    const [mine, reference] = [seconds(ours), seconds(theirs)];
    const memory = Math.max(...ours.map(({ peakBytes }) => peakBytes)) / MEGABYTE;
    return [
      {
        work: 'install of 1 GB',
        ours: `${mine.toFixed(1)} s`,
        against: `${reference.toFixed(1)} s`,
        result: `${(mine / reference).toFixed(2)}x`,
        goal: '1.2x of sha256sum + cp + sync',
      },
      {
        work: 'its memory',
        ours: `${memory.toFixed(0)} MB`,
        against: '',
        result: `${memory.toFixed(0)} MB`,
        goal: 'under 120 MB',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(runs: readonly Finished[]): number {
  return median(runs.map(({ milliseconds }) => milliseconds)) / 1000;
}

async function install(folder: string, manifest: string, round: number): Promise<Finished> {
  const store = join(folder, `store-${round}`);
  mkdirSync(store, { mode: 0o755 });
  const finished = await timed(process.execPath, [installer, 'install', '--source', store, manifest]);
  rmSync(store, { recursive: true });
  return finished;
}

async function byHand(folder: string): Promise<Finished> {
  const [artifact, copy] = [join(folder, 'artifact'), join(folder, 'copy')];
  const finished = await timed('/bin/sh', [
    '-c',
    'sha256sum "$1" && cp "$1" "$2" && sync "$2"',
    'sh',
    artifact,
    copy,
  ]);
  rmSync(copy);
  return finished;
}

function writeObject(folder: string): string {
  const artifact = join(folder, 'artifact');
  const hash = createHash('sha256');
  const file = openSync(artifact, 'w', 0o755);
  const piece = Buffer.alloc(MEGABYTE);
  for (let written = 0; written < SIZE; written += piece.length) {
    piece.writeUInt32LE(written / MEGABYTE);
    hash.update(piece);
    writeSync(file, piece);
  }
  closeSync(file);
  chmodSync(artifact, 0o755);
  const manifest = join(folder, 'object.json');
  writeFileSync(
    manifest,
    JSON.stringify({
      schema: 'cortexfs.object/v1',
      class: 'tool',
      name: 'bench',
      executable: { path: 'artifact', sha256: hash.digest('hex') },
      controls: { description: 'A large one.', schema: '{"type":"object"}', cap: 'text', policy: '' },
    }),
  );
  return manifest;
}
