import { median } from '../median.ts';
import type { Row } from '../table.ts';
import { agentName } from './agents.ts';
import type { Work } from './client.ts';
import { measure } from './measure.ts';
import { files, HOME_FILES, type Place } from './place.ts';

const ROUNDS = 5;
/** The mount lets the kernel remember controls for a second, fuse-native everything. */
const PAUSE_MS = 1100;

/** File systems of fuse-native that do nothing. */
export interface Baselines {
  readonly noOp: Place;
  /** One that has no attributes remembered, as files at home have none. */
  readonly forgetful: Place;
}

/** One operation on many paths that the kernel knows nothing of, on the mount and on the no-op file system in turn. */
export async function speedRows(ours: Place, { noOp, forgetful }: Baselines, agents: number): Promise<Row[]> {
  const names = Array.from({ length: agents }, (_, index) => agentName(index));
  const controls = names.map((name) => `agent/${name}.d/policy`);
  const directories = names.map((name) => `agent/${name}.d`);
  const plain = Array.from({ length: HOME_FILES }, (_, index) => `${files()}/f${index}`);
  const works: [string, Work, string[], Place?][] = [
    ['stat of a control', 'stat', controls],
    ['stat of a file at home', 'stat', plain, forgetful],
    ['readdir of 19 controls', 'readdir', directories],
    ['open, 4 KiB read, close at home', 'read', plain],
    ['open, read, close of a control', 'read', controls],
  ];
  const rows: Row[] = [];
  for (const [name, work, paths, other = noOp] of works) {
    const roots = [ours.root, other.root];
    const [a, b] = (await measure({ work, roots, paths, rounds: ROUNDS, pause: PAUSE_MS })) as [
      number[],
      number[],
    ];
    const [mine, theirs] = [median(a), median(b)];
    rows.push({
      work: name,
      ours: `${mine.toFixed(0)} us`,
      against: `${theirs.toFixed(0)} us no-op fuse-native${other === forgetful ? ', attr_timeout=0' : ''}`,
      result: `${(mine / theirs).toFixed(2)}x`,
      goal: '<= 1.3x',
    });
  }
  return rows;
}
