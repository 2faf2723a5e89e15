import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseHookFrame } from '@cortexfs/abi/frames/hook';
import t from 'tap';
import { testRoot } from '../support/root.ts';
import { runTsh } from '../support/run.ts';

t.test("a tool that an agent's shell runs has its hooks", async (t) => {
  const place = testRoot(t);
  const { root, home, write } = place;
  place.agent('coder', { policy: 'allow coder_t tool:greet execute\n' });
  place.tool('greet', 'echo "tool $*" >> "$HOME/order"; echo hello');
  const hook = (name: string, script: string) =>
    write(`tool/greet.d/hooks/${name}`, `#!/bin/sh\n${script}\n`, 0o755);
  const note = 'name=$(basename "$0"); cat > "$HOME/$name.told"; echo "$name" >> "$HOME/order"';
  const order = () =>
    existsSync(join(home, 'order')) ? readFileSync(join(home, 'order'), 'utf8').trim().split('\n') : [];
  const greet = (...args: string[]) => {
    rmSync(join(home, 'order'), { force: true });
    const run = { CTX_SESSION: 'default', CTX_RUN_ID: 'R1', CTX_AGENT_STEP: '2' };
    return runTsh(['greet', ...args], { env: place.agentEnv('coder', run) });
  };

  hook('pre.d/20-b', note);
  hook('pre.d/10-a', note);
  hook('post.d/z', note);
  write('tool/greet.d/hooks/pre.d/plain', '#!/bin/sh\nexit 1\n');
  t.match(await greet('{"name":"you"}'), { code: 0, out: 'hello\n', err: '' });
  t.strictSame(order(), ['10-a', '20-b', 'tool {"name":"you"}', 'z']);
  const told = (name: string) => parseHookFrame(readFileSync(join(home, `${name}.told`), 'utf8'));
  const common = { object: 'tool/greet', agent: 'coder', session: 'default', run: 'R1', step: 2 };
  t.match(told('10-a'), { ...common, phase: 'pre', input: { name: 'you' } });
  t.match(told('z'), { ...common, phase: 'post' });
  await greet('two', 'words');
  t.strictSame(told('z').input, ['two', 'words']);

  hook('pre.d/20-b', 'echo "no greeting today" >&2; exit 4');
  t.match(await greet(), {
    code: 13,
    out: '',
    err: 'tsh: EACCES: tool/greet.d/hooks/pre.d/20-b: the hook failed: it exited with code 4: no greeting today\n',
  });
  t.strictSame(order(), ['10-a'], 'neither the tool nor a hook after it ran');

  hook('pre.d/20-b', 'exit 0');
  hook('post.d/z', 'kill -9 $$');
  t.match(await greet(), {
    code: 0,
    out: 'hello\n',
    err: /^tsh: tool\/greet.d\/hooks\/post.d\/z: .*SIGKILL\n$/,
  });

  hook('pre.d/20-b', 'exit 1');
  const person = { CTX_ROOT: root, CTX_PATH: join(root, 'tool'), HOME: home, PATH: '/usr/bin:/bin' };
  t.match(
    await runTsh(['greet'], { env: person }),
    { code: 0, out: 'hello\n' },
    'a person runs the file as it is',
  );
});
