import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { chooseSupervisor } from '../src/supervisor/choice.ts';

t.test(
  'systemd keeps instances where its user manager answers; a socket that nobody serves is none',
  async (t) => {
    const runtime = mkdtempSync('/tmp/sup-');
    const before = process.env['XDG_RUNTIME_DIR'];
    process.env['XDG_RUNTIME_DIR'] = runtime;
    t.teardown(() => {
      if (before === undefined) delete process.env['XDG_RUNTIME_DIR'];
      else process.env['XDG_RUNTIME_DIR'] = before;
      rmSync(runtime, { recursive: true, force: true });
    });
    t.equal(await chooseSupervisor(undefined), 'direct');
    await t.rejects(chooseSupervisor('systemd'), {
      code: 'EHOSTDOWN',
      message: `no systemd user manager answers at ${runtime}/systemd/private`,
      hint: /--supervisor/,
    });
    mkdirSync(join(runtime, 'systemd'));
    const server = createServer().listen(join(runtime, 'systemd/private'));
    await new Promise((resolve) => server.once('listening', resolve));
    t.equal(await chooseSupervisor(undefined), 'systemd');
    t.equal(await chooseSupervisor('systemd'), 'systemd');
    t.equal(await chooseSupervisor('direct'), 'direct');
    server.close();
  },
);
