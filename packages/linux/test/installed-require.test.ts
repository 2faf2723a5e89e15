import { lstatSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { requireFrom } from '../src/installed-require.ts';

t.test('a package behind a link is found also right after the process looked at a socket', async (t) => {
  const folder = realpathSync(t.testdir());
  const kept = join(folder, 'kept/node_modules');
  for (const name of ['wrapper', 'binary']) mkdirSync(join(kept, name), { recursive: true });
  writeFileSync(join(kept, 'wrapper/index.js'), 'module.exports = require("binary");');
  writeFileSync(join(kept, 'binary/index.js'), 'module.exports = "found";');
  mkdirSync(join(folder, 'bin/node_modules'), { recursive: true });
  symlinkSync(join(kept, 'wrapper'), join(folder, 'bin/node_modules/wrapper'));
  const socket = join(realpathSync('/tmp'), `installed-require-${process.pid}.sock`);
  const server = createServer().listen(socket);
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));

  t.ok(lstatSync(socket).isSocket());
  t.equal(requireFrom(join(folder, 'bin/bin.js'))('wrapper'), 'found');
});
