import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { execute, objectFile, scratch } from '../object-file.ts';

/** An installed object as the mount shows it, its artifact beside it under the name that only the runner knows. */
function plugin(
  t: Test,
  artifact: string | { copyOf: string },
  className: 'tool' | 'agent' = 'tool',
): string {
  const object = objectFile(t, className, 'object');
  const place = join(dirname(object), '.exec');
  mkdirSync(place);
  const path = join(place, 'object');
  if (typeof artifact === 'string') writeFileSync(path, artifact);
  else copyFileSync(artifact.copyOf, path);
  chmodSync(path, 0o755);
  return object;
}

const frames = (text: string) =>
  `{"type":"start","run":"R"}\n{"type":"message","run":"R","content":[{"type":"text","text":"${text}"}]}\n{"type":"done","run":"R","status":"ok"}\n`;
const SAYS = 'a b|c|in';

const languages: Record<string, string> = {
  sh: `#!/bin/sh
read -r line
printf '${frames('%s|%s|%s').replaceAll('\n', '\\n').replaceAll('"R"', '"%s"')}' "$CTX_RUN_ID" "$CTX_RUN_ID" "$1" "$2" "$line" "$CTX_RUN_ID"
`,
  python: `#!/usr/bin/env python3
import json, os, sys
run = os.environ["CTX_RUN_ID"]
text = "|".join(sys.argv[1:] + [sys.stdin.read().strip()])
for frame in ({"type": "start"}, {"type": "message", "content": [{"type": "text", "text": text}]}, {"type": "done", "status": "ok"}):
    print(json.dumps({**frame, "run": run}))
`,
  'node, CommonJS': `#!/usr/bin/env node
const text = [...process.argv.slice(2), require('node:fs').readFileSync(0, 'utf8').trim()].join('|');
const run = process.env.CTX_RUN_ID;
for (const frame of [{ type: 'start' }, { type: 'message', content: [{ type: 'text', text }] }, { type: 'done', status: 'ok' }])
  console.log(JSON.stringify({ ...frame, run }));
`,
  'node, ES module with options': `#!/usr/bin/env -S node --no-warnings
import { readFileSync } from 'node:fs';
await null;
const text = [...process.argv.slice(2), readFileSync(0, 'utf8').trim()].join('|');
const run = process.env.CTX_RUN_ID;
for (const frame of [{ type: 'start' }, { type: 'message', content: [{ type: 'text', text }] }, { type: 'done', status: 'ok' }])
  console.log(JSON.stringify({ ...frame, run }));
`,
};

for (const [language, source] of Object.entries(languages)) {
  t.test(
    `an installed tool in ${language} gets arguments, input and a run, and is what the caller started`,
    async (t) => {
      const outcome = await execute(plugin(t, source), ['a b', 'c'], {
        input: 'in\n',
        env: { CTX_RUN_ID: 'run-7' },
      });
      t.match(outcome, { code: 0, signal: null, stderr: '' });
      t.match(outcome.frames, [
        { type: 'start', run: 'run-7' },
        { type: 'message', run: 'run-7', content: [{ type: 'text', text: SAYS }] },
        { type: 'done', run: 'run-7', status: 'ok' },
      ]);
    },
  );
}

t.test('an ELF program runs, with a fresh run id where there is none', async (t) => {
  const outcome = await execute(plugin(t, { copyOf: '/usr/bin/env' }), ['-u', 'PATH']);
  t.match(outcome, { code: 0, stderr: '', stdout: /^CTX_RUN_ID=[0-9A-Z]{26}\n$/m });
  t.match(await execute(plugin(t, { copyOf: '/usr/bin/printf' }), ['%s', 'x']), { code: 0, stdout: 'x' });
});

t.test('exit codes and signals are those of the plugin itself', async (t) => {
  t.match(await execute(plugin(t, '#!/bin/sh\nexit 42\n')), { code: 42, signal: null });
  t.match(await execute(plugin(t, '#!/bin/sh\nkill -TERM $$\n')), { code: null, signal: 'SIGTERM' });
  t.match(await execute(plugin(t, '#!/bin/sh\nkill -PIPE $$\n')), { code: null, signal: 'SIGPIPE' });
});

t.test('an installed tool comes before a built-in one of the same name', async (t) => {
  const object = objectFile(t, 'tool', 'fs.read');
  mkdirSync(join(dirname(object), '.exec'));
  writeFileSync(join(dirname(object), '.exec/object'), '#!/bin/sh\necho mine\n', { mode: 0o755 });
  t.match(await execute(object, ['x']), { code: 0, stdout: 'mine\n' });
});

t.test('what cannot be executed is told in frames, with its exit code', async (t) => {
  const cases: [string, string, string, number, RegExp][] = [
    ['no interpreter', '#!/nowhere/python9\n', 'ENOENT', 1, /interpreter/],
    ['no program', 'plain text\n', 'ENOEXEC', 1, /no program/],
    ['nothing', '', 'ENOEXEC', 1, /no program/],
  ];
  for (const [what, source, code, exit, message] of cases) {
    const outcome = await execute(plugin(t, source), [], { env: { CTX_RUN_ID: 'r' } });
    t.match({ code: outcome.code, stderr: outcome.stderr }, { code: exit, stderr: '' }, what);
    t.match(outcome.frames, [
      { type: 'start', run: 'r' },
      { type: 'error', code, path: 'tool/object', message },
      { type: 'done', status: 'error' },
    ]);
  }
});

t.test('a link in the place of an artifact is not followed', async (t) => {
  const object = objectFile(t, 'tool', 'object');
  mkdirSync(join(dirname(object), '.exec'));
  symlinkSync('/bin/echo', join(dirname(object), '.exec/object'));
  t.match(await execute(object, ['x']), { code: 1, frames: [{}, { type: 'error', code: 'ELOOP' }, {}] });
});

t.test('an object is found through links to it', async (t) => {
  const object = plugin(t, '#!/bin/sh\necho "$1"\n');
  const link = join(scratch(t), 'mine');
  symlinkSync(object, link);
  t.match(await execute(link, ['through a link']), { code: 0, stdout: 'through a link\n' });
});

t.test('an installed agent takes its envelope from the host, and only from it', async (t) => {
  const agent = plugin(t, '#!/bin/sh\ncat; echo "$CTX_AGENT_STEP"\n', 'agent');
  const env = { CTX_CONTROL_SOCKET: '/run/cortexfs/control.sock', CTX_RUN_ID: 'run-1', CTX_AGENT_STEP: '0' };
  t.match(await execute(agent, [], { env, input: 'envelope\n' }), { code: 0, stdout: 'envelope\n0\n' });
  t.match(await execute(agent), {
    code: 69,
    stdout: '',
    stderr: /^cortexfs-object-runner: ENOTCONN: agent\/object: /,
  });
  t.match(await execute(agent, ['x'], { env }), { code: 2, stdout: '', stderr: /EINVAL: agent\/object: / });
});
