import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { agentHost, makeRunnable } from '../launch/running.ts';

t.test('help and version, without anything else being there', async (t) => {
  const site = makeRunnable(t);
  const [help, version, nothing] = await Promise.all([
    agentHost(site, '--help').outcome,
    agentHost(site, '--version').outcome,
    agentHost(site, 'status', '--help').outcome,
  ]);
  t.match(help, { code: 0, stdout: /^Usage: agent-host .*Exit codes:/s, stderr: '' });
  t.match(version, { code: 0, stdout: 'agent-host 0.1.7\n' });
  t.match(nothing, { code: 0, stdout: /^Usage/ });
});

t.test('each refusal has its exit code, one line and a hint', async (t) => {
  const site = makeRunnable(t);
  const [unknown, missing, json, status] = await Promise.all([
    agentHost(site, 'begin', 'coder').outcome,
    agentHost(site, 'start', 'nobody').outcome,
    agentHost(site, 'start', 'nobody', '--json').outcome,
    agentHost(site, 'status', '--json').outcome,
  ]);
  t.match(unknown, {
    code: 2,
    stdout: '',
    stderr: /^agent-host: EINVAL: "begin" is not a command\nhint: agent-host --help\n$/,
  });
  t.match(missing, {
    code: 1,
    stdout: '',
    stderr: /^agent-host: ENOENT: agent\/nobody: there is no agent "nobody"\nhint: ctx ls agent\n$/,
  });
  t.match(JSON.parse(json.stderr), { error: { code: 'ENOENT', path: 'agent/nobody', exit_code: 1 } });
  t.match(JSON.parse(status.stdout), [
    { agent: 'coder', status: 'dead', instances: [], damaged: [], last_cleanup: null },
  ]);
  rmSync(join(site.root, 'status'));
  const unmounted = await agentHost(site, 'start', 'coder').outcome;
  t.match(unmounted, { code: 69, stderr: /^agent-host: ENOTCONN: .* not mounted here\nhint: ctx mount\n$/ });
});

t.test('without a store there are no agents, and that is no failure', async (t) => {
  const site = makeRunnable(t);
  rmSync(site.store, { recursive: true });
  const [status, json, stop] = await Promise.all([
    agentHost(site, 'status').outcome,
    agentHost(site, 'status', '--json').outcome,
    agentHost(site, 'stop', '--all').outcome,
  ]);
  t.match(status, { code: 0, stdout: 'there are no agents\n', stderr: '' });
  t.match(json, { code: 0, stdout: '[]\n' });
  t.match(stop, { code: 0, stdout: 'there are no agents\n' });
});
