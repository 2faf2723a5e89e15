import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { loadDefinition } from '../../src/definition/load.ts';
import { CODER, CONTROLS, makeSite } from '../site.ts';

t.test('an agent with its controls', async (t) => {
  const site = makeSite(t, {
    env: 'A=1\nstep_timeout_s=7\n',
    groups: '4\n27\n',
    window: '8192\n',
    approval: 'ask\n',
  });
  const definition = loadDefinition(site.store, CODER);
  t.match(definition, {
    name: 'coder',
    owner: process.getuid!(),
    groups: [4, 27],
    label: { subject: 'coder_t' },
    cwd: '/workspace',
    path: ['/ctx/tool'],
    tools: ['fs.read'],
    approval: 'ask',
    window: 8192,
    stepTimeoutSeconds: 7,
  });
  t.same([...definition.env], [['A', '1']], 'the time-out is no variable');
});

t.test('optional controls may be missing, required ones may not', async (t) => {
  const site = makeSite(t);
  for (const name of ['groups', 'env', 'path', 'mount', 'tools'])
    rmSync(join(site.store, 'agent/coder.d', name));
  t.match(loadDefinition(site.store, CODER), {
    groups: [],
    path: [],
    mount: [],
    tools: [],
    approval: 'auto',
    stepTimeoutSeconds: 300,
  });
  for (const name of [
    'abi',
    'owner',
    'uid',
    'gid',
    'label',
    'iso',
    'parent',
    'life',
    'root',
    'cwd',
    'model',
    'window',
    'policy',
  ]) {
    const path = join(site.store, 'agent/coder.d', name);
    renameSync(path, `${path}-aside`);
    t.throws(
      () => loadDefinition(site.store, CODER),
      { code: 'ENOENT', path: `agent/coder.d/${name}` },
      name,
    );
    renameSync(`${path}-aside`, path);
  }
  t.throws(() => loadDefinition(site.store, parseObjectName('nobody')), {
    code: 'ENOENT',
    message: /no agent "nobody"/,
  });
});

t.test('links, devices and directories in place of a control are not read', async (t) => {
  const site = makeSite(t);
  const path = join(site.store, 'agent/coder.d/policy');
  const replace = (make: () => void) => {
    rmSync(path, { recursive: true, force: true });
    make();
  };
  writeFileSync(join(site.base, 'elsewhere'), CONTROLS['policy']!);
  replace(() => symlinkSync(join(site.base, 'elsewhere'), path));
  t.throws(() => loadDefinition(site.store, CODER), {
    code: 'ELOOP',
    path: 'agent/coder.d/policy',
    message: /symbolic link/,
  });
  replace(() => execFileSync('mkfifo', [path]));
  t.throws(
    () => loadDefinition(site.store, CODER),
    { code: 'EINVAL', message: /regular file/ },
    'a FIFO is not waited for',
  );
  replace(() => mkdirSync(path));
  t.throws(() => loadDefinition(site.store, CODER), { code: 'EINVAL' });
  replace(() => writeFileSync(path, Buffer.from([0xff, 0xfe])));
  t.throws(() => loadDefinition(site.store, CODER), { code: 'EINVAL', message: /UTF-8/ });
  replace(() => writeFileSync(path, `#${'x'.repeat(65535)}`));
  t.ok(loadDefinition(site.store, CODER), '64 KiB');
  replace(() => writeFileSync(path, `#${'x'.repeat(65536)}`));
  t.throws(() => loadDefinition(site.store, CODER), { code: 'EMSGSIZE' }, 'one byte more');
});

t.test('a control directory that is a link is not entered', async (t) => {
  const site = makeSite(t);
  renameSync(join(site.store, 'agent/coder.d'), join(site.base, 'moved'));
  symlinkSync(join(site.base, 'moved'), join(site.store, 'agent/coder.d'));
  t.throws(() => loadDefinition(site.store, CODER), { code: 'ELOOP' });
});

t.test('whatever stands in a control, the refusal is typed and names it', async (t) => {
  const site = makeSite(t);
  const names = Object.keys(CONTROLS);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 60 }), (name, bytes) => {
      const path = join(site.store, 'agent/coder.d', name);
      writeFileSync(path, bytes);
      try {
        loadDefinition(site.store, CODER);
        return true;
      } catch (error) {
        return error instanceof CortexError && error.path === `agent/coder.d/${name}`;
      } finally {
        writeFileSync(path, CONTROLS[name]!);
      }
    }),
    { numRuns: 300 },
  );
});

t.test('controls that belong to somebody else than the owner they name', async (t) => {
  const site = makeSite(t);
  site.write('store/agent/coder.d/owner', '4242\n');
  if (process.getuid!() === 0)
    t.equal(loadDefinition(site.store, CODER).owner, 4242, 'root may write for others');
  else t.throws(() => loadDefinition(site.store, CODER), { code: 'EACCES', path: 'agent/coder.d/owner' });
});
