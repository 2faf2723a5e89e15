import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import t, { type Test } from 'tap';
import { answerOf, requireAnswer } from '../src/answer.ts';

const asRoot = { skip: process.geteuid!() === 0 ? false : 'needs root, to mount' };

/** A FUSE mount whose server never answers; taken away with the test. */
async function silentMount(t: Test) {
  const folder = mkdtempSync('/tmp/cfs-');
  const point = `${folder}/mnt`;
  mkdirSync(point);
  const device = openSync('/dev/fuse', 'r+');
  let open = true;
  const end = () => {
    if (open) closeSync(device);
    open = false;
  };
  t.teardown(async () => {
    end();
    await once(spawn('umount', ['-l', point]), 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const child = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'silent', point], {
    stdio: ['ignore', 'inherit', 'inherit', device],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`mount exited ${code}`);
  return { point, end };
}

t.test('an ordinary directory answers, a missing one too: it is not there', async (t) => {
  t.equal(await answerOf('/tmp'), 'answers');
  t.equal(await answerOf('/tmp/nothing-of-that-name'), 'answers');
  await requireAnswer('/tmp');
});

t.test('a mount whose server does not answer hangs, and is named', asRoot, async (t) => {
  const { point } = await silentMount(t);
  t.equal(await answerOf(point, 300), 'hangs');
  for (const path of [point, `${point}/below`])
    await t.rejects(requireAnswer(path, 300), {
      code: 'ETIMEDOUT',
      message: `the file system at ${point} (fuse) does not answer within 0.3 s`,
      hint: `take it away (umount -l ${point}), or mount elsewhere`,
    });
});

t.test('a mount whose server is gone is dead', asRoot, async (t) => {
  const { point, end } = await silentMount(t);
  end();
  t.equal(await answerOf(point), 'dead');
  await requireAnswer(point);
});
