import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadDefinition } from '../../src/definition/load.ts';
import type { HostContext } from '../../src/serve/host-context.ts';
import { placeOfWork } from '../../src/serve/operations/place-of-work.ts';
import { ApprovalDesk } from '../../src/serve/run/approval.ts';
import { CODER, makeSite } from '../site.ts';

t.test('where a request may work', (t) => {
  const site = makeSite(t);
  mkdirSync(join(site.workspace, 'a/b'), { recursive: true });
  mkdirSync(join(site.store, `home/${process.getuid!()}/agent/coder/data`), { recursive: true });
  writeFileSync(join(site.workspace, 'file'), '');
  symlinkSync('/etc', join(site.workspace, 'link'));
  const host = {
    site,
    agent: CODER,
    workspace: site.workspace,
    config: '',
    launch: undefined as never,
    ahead: undefined as never,
    approvals: new ApprovalDesk(),
    log: () => {},
    hooks: () => ({ pre: [], post: [] }),
  } satisfies HostContext;
  const place = (asked: string | undefined) => placeOfWork(host, loadDefinition(site.store, CODER), asked);

  t.equal(place(undefined), '/workspace', 'the definition says where without being asked');
  t.equal(place('/workspace'), '/workspace');
  t.equal(place('/workspace/a/../a/b/'), '/workspace/a/b');
  t.equal(place('/home/agent/data'), '/home/agent/data');
  for (const [asked, code] of [
    ['/workspace/none', 'ENOENT'],
    ['/workspace/file', 'ENOTDIR'],
    ['/workspace/link', 'ELOOP'],
    ['/workspace/link/ssl', 'ELOOP'],
    ['/workspace/..', 'EACCES'],
    ['/workspace2', 'EACCES'],
    ['/', 'EACCES'],
    ['/etc', 'EACCES'],
    ['/home/agent/none', 'ENOENT'],
  ] as const) {
    t.throws(() => place(asked), { code }, asked);
  }

  site.write('store/agent/coder.d/policy', '');
  t.throws(() => place('/workspace/a'), { code: 'ENOENT', message: /sees no workspace/ });
  t.equal(place('/home/agent/data'), '/home/agent/data');

  site.write('store/agent/coder.d/policy', 'allow coder_t mount:workspace write\n');
  const chosen = { ...host, workspace: null, cwd: '/home/agent' };
  const there = (asked: string | undefined) => placeOfWork(chosen, loadDefinition(site.store, CODER), asked);
  t.equal(there(undefined), '/home/agent', 'the start chose another directory');
  t.throws(() => there('/workspace'), { code: 'ENOENT', message: /sees no workspace/ }, 'and no workspace');
  t.end();
});
