import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import t from 'tap';
import { stopAgent } from '../../src/launch/stop.ts';
import { CODER } from '../site.ts';
import { askTerminal, killed, makeRunnable, pingAgent, start } from './running.ts';

/** What a program in the terminal's sandbox may put where its socket was: that directory is its own. */
const PLANTS: Readonly<Record<string, (socket: string, victim: string) => void>> = {
  'a directory': (socket) => mkdirSync(join(socket, 'in/it'), { recursive: true }),
  'a tree deeper than a path can name': (socket) => {
    mkdirSync(socket);
    const script =
      'import os,sys\nos.chdir(sys.argv[1])\nfor i in range(40): os.mkdir("d"*200); os.chdir("d"*200)';
    execFileSync('python3', ['-c', script, socket]);
  },
  'a link to a file of the owner': (socket, victim) => symlinkSync(victim, socket),
  'a link to a directory of the owner': (socket, victim) => symlinkSync(dirname(victim), socket),
  'a FIFO': (socket) => execFileSync('mkfifo', [socket]),
};

for (const [what, plant] of Object.entries(PLANTS)) {
  t.test(`${what} in place of the terminal's socket`, async (t) => {
    const site = makeRunnable(t);
    const victim = join(site.base, 'owner/file');
    site.write('owner/file', 'mine\n');
    for (const end of ['stop', 'kill'] as const) {
      const [host, terminal] = (await start(site)).instances as [LaunchReceipt, LaunchReceipt];
      renameSync(terminal.socket, `${terminal.socket}.real`);
      plant(terminal.socket, victim);
      writeFileSync(`${dirname(terminal.socket)}/more`, 'more');
      if (end === 'stop') await stopAgent(site, CODER, 'test');
      else await killed(terminal);
      const again = (await start(site)).instances as [LaunchReceipt, LaunchReceipt];
      if (end === 'kill') t.strictSame(again[0], host, 'the other role goes on');
      t.match(await askTerminal(again[1].socket), { argv: Array }, `the terminal is back after ${end}`);
      t.match(await pingAgent(again[0].socket), '"pong"');
      t.strictSame(readdirSync(dirname(again[1].socket)), ['main.sock']);
      t.equal(readFileSync(victim, 'utf8'), 'mine\n');
      await stopAgent(site, CODER, 'test');
    }
  });
}
