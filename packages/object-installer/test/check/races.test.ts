import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { checkArtifact } from '../../src/check/artifact.ts';
import { checkObject } from '../../src/check/object.ts';
import { ObjectFolder, SCRIPT, sha256Of, toolManifest } from '../object-folder.ts';

/** A shell loop in a process of its own, because a check occupies this one. */
function inLoop(t: Test, script: string, folder: ObjectFolder): ChildProcess {
  const child = spawn('/bin/sh', ['-c', `while :; do ${script}; done`], {
    cwd: folder.path,
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}

t.test('an executable that grows while it is read is refused', async (t) => {
  const folder = new ObjectFolder(t);
  const content = 'x'.repeat(64 * 1024 * 1024);
  folder.write('growing', content, 0o755);
  const file = folder.manifest(toolManifest({ executable: { path: 'growing', sha256: sha256Of(content) } }));
  t.equal((await checkObject(file)).valid, true, 'at rest it is valid');
  const writer = inLoop(t, 'printf y >> growing', folder);
  while (statSync(folder.at('growing')).size === content.length) await sleep(5);
  t.match(await checkObject(file), {
    valid: false,
    faults: [{ at: 'executable.path', message: 'changed while it was read' }],
  });
  await end(writer);
});

t.test('a directory swapped for a link never leads the check outside', async (t) => {
  const folder = new ObjectFolder(t);
  const outside = new ObjectFolder(t);
  // The digest is that of the file outside, so that following the link even once would give "valid".
  folder.write('bin/echo', 'the one inside', 0o755);
  renameSync(folder.at('bin'), folder.at('real'));
  symlinkSync(outside.at('bin'), folder.at('link'));
  symlinkSync('real', folder.at('bin'));
  const swapper = inLoop(
    t,
    'mv -T bin spare; mv -T real bin; mv -T bin real; mv -T link bin; mv -T bin link; mv -T spare bin',
    folder,
  );
  const directory = openSync(folder.path, 'r');
  t.teardown(() => closeSync(directory));
  const seen = new Set<string>();
  for (const start = Date.now(); Date.now() - start < 3000 || seen.size < 2; ) {
    const { faults } = await checkArtifact(directory, toolManifest().executable);
    seen.add(faults.map(({ message }) => message.split(':')[0]).join() || 'valid');
  }
  await end(swapper);
  t.notOk(seen.has('valid'), [...seen].join(', '));
  t.ok(seen.has('does not match'), 'the file inside was looked at');
  t.ok(seen.has('has a symbolic link on the way'), 'the link was met');
});

t.test('the same file inside is valid', async (t) => {
  const folder = new ObjectFolder(t);
  mkdirSync(folder.at('other'));
  t.equal((await checkObject(folder.manifest(toolManifest()))).valid, true);
  t.equal(sha256Of(SCRIPT), toolManifest().executable.sha256);
});
