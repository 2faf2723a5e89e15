import { spawnSync } from 'node:child_process';
import { median } from '../median.ts';
import type { Row } from '../table.ts';
import { LineClient } from './client.ts';
import { type HostPlace, startHost } from './place.ts';

const RUNS = 6;
/** Most that a run may make; from the third on a runner waits for the call. */
const CALLS = 8;
const COLD = 2;
const PINGS = 2000;

/** What a tool call and a ping cost at an agent's socket. */
export async function benchHost(): Promise<Row[]> {
  const place = await startHost();
  try {
    const { socket, echo, apart } = place;
    return [
      ...(await callRows(place)),
      await pingRow(socket, 'echo in this process', echo),
      await pingRow(socket, 'echo in a session of its own', apart),
    ];
  } finally {
    await place.close();
  }
}

async function callRows({ socket }: HostPlace): Promise<Row[]> {
  const client = await LineClient.open(socket);
  const [cold, warm, bare]: [number[], number[], number[]] = [[], [], []];
  const input = `${'!call fs.list {"path":"/workspace"}\n'.repeat(CALLS)}!say done`;
  for (let run = 0; run <= RUNS; run++) {
    const times = await callTimes(client, { op: 'send', id: `r${run}`, session: 'default', input });
    // The first run warms up.
    if (run > 0) cold.push(...times.slice(0, COLD));
    if (run > 0) warm.push(...times.slice(COLD));
    for (let turn = 0; turn < CALLS; turn++) bare.push(bareNode());
  }
  client.close();
  const node = median(bare);
  const row = (work: string, times: readonly number[], goal: string): Row => ({
    work,
    ours: `${median(times).toFixed(0)} ms`,
    against: `${node.toFixed(0)} ms node -e 0`,
    result: `${(median(times) / node).toFixed(2)}x`,
    goal,
  });
  return [row('tool call, warm', warm, '<= 0.5x'), row('tool call, cold', cold, '')];
}

/** Milliseconds from each `tool_call` frame to its `tool_result`. */
async function callTimes(client: LineClient, request: object): Promise<number[]> {
  const times: number[] = [];
  let called = 0;
  await client.exchange(request, (line) => {
    if (line.includes('"type":"tool_call"')) called = performance.now();
    if (line.includes('"type":"tool_result"')) times.push(performance.now() - called);
    return line.includes('"type":"done"');
  });
  return times;
}

function bareNode(): number {
  const begun = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - begun;
}

async function pingRow(socket: string, what: string, echo: string): Promise<Row> {
  const [agent, plain] = [await LineClient.open(socket), await LineClient.open(echo)];
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < PINGS; turn++) {
    ours.push(await pingTime(agent));
    theirs.push(await pingTime(plain));
  }
  agent.close();
  plain.close();
  const [mine, other] = [median(ours), median(theirs)];
  return {
    work: 'ping',
    ours: `${(mine * 1000).toFixed(0)} us`,
    against: `${(other * 1000).toFixed(0)} us ${what}`,
    result: `${(mine / other).toFixed(2)}x`,
    goal: '<= 1.5x',
  };
}

async function pingTime(client: LineClient): Promise<number> {
  const begun = performance.now();
  await client.exchange({ op: 'ping' }, () => true);
  return performance.now() - begun;
}
