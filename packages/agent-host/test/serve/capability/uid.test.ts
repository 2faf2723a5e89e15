import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseRunId, parseSessionName } from '@cortexfs/abi/names';
import { startTimeOf } from '@cortexfs/linux/process';
import t from 'tap';
import { openCapability } from '../../../src/serve/capability/capability.ts';
import type { HostContext } from '../../../src/serve/host-context.ts';
import { CODER } from '../../site.ts';

/** Waits for a line, then pings the socket as whoever it is. */
const CLIENT = `
process.stdin.once('data', () => {
  const socket = require('node:net').connect(process.argv[1]);
  socket.on('error', (error) => console.log(JSON.stringify({ code: error.code })));
  socket.on('data', (chunk) => { console.log(String(chunk).trim()); socket.destroy(); });
  socket.write('{"op":"ping"}\\n');
  process.stdin.destroy();
});`;

const OWNER = 50_001;
const AGENT = 50_002;
const STRANGER = 50_003;

t.test(
  "the socket of root's agent serves its owner's uid and its own, and no other, root's neither",
  async (t) => {
    if (process.geteuid!() !== 0) {
      t.pass('only root runs an agent as another uid');
      return;
    }
    const runtime = mkdtempSync('/tmp/cxc-');
    t.teardown(() => rmSync(runtime, { recursive: true, force: true }));
    const told: string[] = [];
    const host = {
      site: { runtime },
      agent: CODER,
      log: (line: string) => told.push(line),
    } as unknown as HostContext;
    const capability = await openCapability(host, {
      run: parseRunId('R1'),
      session: parseSessionName('default'),
      owner: OWNER,
      uid: AGENT,
      gid: AGENT,
      record: async () => {},
    });
    t.teardown(() => capability.close());
    const ask = async (uid: number, register: boolean) => {
      // Only the directory of the run is shown in a sandbox: the way to it is root's alone.
      const child = spawn(process.execPath, ['-e', CLIENT, './control.sock'], {
        cwd: capability.directory,
        env: {},
        uid,
        gid: uid,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      if (register) capability.register({ pid: child.pid!, startTime: startTimeOf(child.pid!)! });
      child.stdin.write('go\n');
      return JSON.parse(await text(child.stdout));
    };
    t.match(await ask(AGENT, true), { type: 'pong' });
    t.match(await ask(AGENT, false), {
      type: 'error',
      code: 'EACCES',
      message: /does not belong to this run/,
    });
    t.match(await ask(0, true), {
      type: 'error',
      code: 'EACCES',
      message: "uid 0 is neither the owner nor the agent's",
    });
    t.match(await ask(STRANGER, true), { code: 'EACCES' });
    t.match(told, [/process \d+ does not belong/, /uid 0 is neither/]);
  },
);
