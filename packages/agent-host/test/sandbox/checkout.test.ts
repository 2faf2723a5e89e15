import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeSite } from '../site.ts';
import { runScript } from './run.ts';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

t.test('an agent that works in the checkout cannot change what its person starts there', async (t) => {
  const site = makeSite(t);
  // Opened for appending and nothing appended: harmless, should it be possible.
  const files = [
    'setup/start.mjs',
    'package.json',
    'packages/agent-host/dist/agent-host.js',
    'packages/ctx-cli/package.json',
    'tools/shell.exec/tool.ts',
    'agents/coder/policy',
    'node_modules/.bin/tap',
  ];
  const lines = files.map((file) => `: >> /workspace/${file} && echo "OPENED ${file}"`);
  const { stdout } = await runScript(
    site,
    `(${lines.join('\n')}) 2>/dev/null\n: >> /workspace/README.md && echo allowed`,
    { workspace: checkout },
  );
  t.equal(stdout, 'allowed\n');
});
