import type { Row } from '../table.ts';
import { cacheRow } from './cache.ts';
import { memoryRows } from './memory.ts';
import { mountNoOp, mountStore, type Place } from './place.ts';
import { speedRows } from './speed.ts';

const AGENTS = 500;

/** What questions to the mount cost, who answers them, and what it remembers. */
export async function benchMount(): Promise<Row[]> {
  const places: Place[] = [];
  try {
    const ours = await mountStore(AGENTS);
    places.push(ours);
    const noOp = await mountNoOp();
    places.push(noOp);
    const forgetful = await mountNoOp('0');
    places.push(forgetful);
    const rows = await speedRows(ours, { noOp, forgetful }, AGENTS);
    rows.push(await cacheRow(ours));
    for (const place of places.splice(0)) await place.close();
    return [...rows, ...(await memoryRows())];
  } finally {
    for (const place of places) await place.close();
  }
}
