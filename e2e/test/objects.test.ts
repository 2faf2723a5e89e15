import { existsSync, readdirSync } from 'node:fs';
import t from 'tap';
import { mountedPlace, run } from '../place.ts';

const place = await mountedPlace(t);
const shell = (script: string) => run('/bin/sh', ['-euc', script], { cwd: place.root, env: place.env });

t.test('an agent is made with nothing but a shell, and works', async (t) => {
  const made = await shell(`
    mkdir agent/worker.d
    test ! -e agent/worker
    cp agent/coder.d/path agent/coder.d/model agent/coder.d/abi agent/worker.d/
    echo user_u:agent_r:worker_t:s0 > agent/worker.d/label
    echo agent:coder > agent/worker.d/parent
    cat agent/worker.d/log
    printf '%s\\n' 'allow worker_t model:main use' 'allow worker_t session:default write' 'allow worker_t session:default read' > agent/worker.d/policy
    touch agent/worker
    head -1 agent/worker
    cat agent/worker.d/owner agent/worker.d/status`);
  t.match(made, { code: 0, err: '' });
  t.match(made.out, /^missing: policy\n#!.*cortexfs-object-runner\n\d+\ndead\n$/);
  await place.must(t, ['agent', 'start', 'worker', '--workspace', place.workspace]);
  t.match(await place.ctx(['agent', 'send', 'worker', '!say made by hand']), {
    code: 0,
    out: 'made by hand\n',
  });
  t.match(await shell('cat agent/worker.d/log'), { code: 0, out: /\n/ });
  t.match(await shell('rm agent/worker'), { code: 1, err: /Operation not permitted/ });
  await place.must(t, ['set', 'agent/worker.d/life', 'temp']);
  t.match(await shell('rm agent/worker'), { code: 1, err: /busy/ });
  await place.must(t, ['agent', 'stop', 'worker']);
  t.match(await shell('rm -f agent/worker.sock; rm agent/worker; rm -r agent/worker.d; ls agent'), {
    code: 0,
    err: '',
  });
  t.notOk(existsSync(`${place.store}/agent/worker.d`));
  t.ok(
    existsSync(`${place.store}/home/${process.getuid!()}/agent/worker/session/default/events.jsonl`),
    'its sessions stay',
  );
});

t.test('an agent that lacks something or is given up leaves nothing', async (t) => {
  const before = readdirSync(`${place.store}/agent`).sort();
  t.match(await shell('mkdir agent/half.d; touch agent/half'), { code: 1, err: /Invalid argument/ });
  t.match(await shell('echo nonsense > agent/half.d/abi'), { err: /Invalid argument|I\/O error/ });
  t.match(await shell('echo x > agent/half.d/colour'), { err: /not permitted/ });
  t.match(await shell('rm -r agent/half.d; ls agent'), { code: 0 });
  t.notOk(existsSync(`${place.root}/agent/half.d`));
  t.strictSame(readdirSync(`${place.store}/agent`).sort(), before);
});

t.test('hooks of a tool are made, run and taken away by its owner', async (t) => {
  const script = `
    cd tool/fs.read.d; mkdir -p hooks/pre.d hooks/post.d
    printf '#!/bin/sh\\necho hooked\\n' > hooks/pre.d/10-say; chmod 755 hooks/pre.d/10-say; hooks/pre.d/10-say
    ! mkdir hooks/other.d 2>/dev/null
    rm -r hooks; test ! -e hooks`;
  t.match(await shell(script), { code: 0, out: 'hooked\n', err: '' });
});

t.test('every kind of file says what it is', async (t) => {
  const uid = process.getuid!();
  await shell(
    `mkdir -p shared/notes/agent/coder/session/s && : > shared/notes/agent/coder/session/s/messages.jsonl && : > shared/notes/agent/coder/session/s/events.jsonl`,
  );
  const kinds: Record<string, string> = {
    'agent/coder': 'ctx.agent.exec',
    'agent/coder.d': 'ctx.agent.control',
    'agent/coder.d/policy': 'ctx.agent.control',
    'agent/coder.d/status': 'ctx.agent.control',
    'agent/coder.sock': 'ctx.agent.socket',
    'tool/fs.read': 'ctx.tool.exec',
    'tool/fs.read.d/schema': 'ctx.tool.control',
    'model/debug/script': 'ctx.model.exec',
    'model/debug/script.d/limit': 'ctx.model.control',
    'model/main': 'ctx.symlink',
    shared: 'ctx.shared.dir',
    'shared/notes': 'ctx.shared.dir',
    'shared/notes/agent/coder/session/s': 'ctx.session.dir',
    'shared/notes/agent/coder/session/s/messages.jsonl': 'ctx.session.messages',
    'shared/notes/agent/coder/session/s/events.jsonl': 'ctx.session.events',
    home: 'ctx.home.dir',
    [`home/${uid}`]: 'ctx.home.dir',
    [`home/${uid}/agent/coder`]: 'ctx.ordinary',
    status: 'ctx.unknown',
    '': 'ctx.ordinary',
  };
  await shell(`ln -s ${place.runtime}/agent/coder.sock agent/coder.sock`);
  for (const [path, kind] of Object.entries(kinds))
    t.equal(await place.must(t, ['file', 'type', path]), `${kind}\n`, path);
  await shell('rm agent/coder.sock');
  const info = JSON.parse(await place.must(t, ['file', 'info', 'agent/coder.d/policy', '--json'])) as object;
  t.match(info, {
    kind: 'ctx.agent.control',
    origin: 'store',
    storage: 'bytes',
    bytes: Number,
    token_estimate: Number,
    mode: '0644',
  });
  t.match(await shell('setfattr -n user.cortexfs.kind -v x tool/fs.read 2>/dev/null || echo refused'), {
    out: 'refused\n',
  });
});

t.test('nobody writes a limit, and a refused pair of window and model is told', async (t) => {
  t.match(await shell('echo 5 > model/debug/script.d/limit'), { err: /Read-only file system/ });
  t.match(await place.ctx(['set', 'model/debug/script.d/limit', '5']), {
    code: 13,
    err: /EROFS: .*shows the state/,
  });
  t.match(await place.ctx(['set', 'agent/coder.d/window', '4000000000']), { code: 2, err: /does not fit: / });
  t.match(await shell('echo 4000000000 > agent/coder.d/window'), { err: /Invalid argument|I\/O error/ });
  t.equal(await place.must(t, ['cat', 'agent/coder.d/window']), 'auto\n');
  t.match(await place.ctx(['explain', 'coder', 'tool:fs.read', 'execute', '--direct']), {
    code: 0,
    out: /\nallowed\n$/,
  });
  t.match(await place.ctx(['explain', 'coder', 'tool:fs.write', 'execute']), { code: 13 });
  t.match(await place.ctx(['file', 'check', 'agent/coder.d']), { code: 0, out: 'ok agent/coder.d\n' });
});

t.test('launchers in bin work without a PATH', async (t) => {
  for (const name of ['ctx', 'ctxterm', 'tsh', 'cortexfs-object-runner'])
    t.match(
      await run(`${place.root}/bin/${name}`, ['--version'], { env: {} }),
      { code: 0, out: `${name} 0.1.7\n` },
      name,
    );
  t.match(await place.ctx(['tool', 'run', 'fs.stat', '/']), {
    code: 0,
    out: /"type":"done","run":"[0-9A-Z]+","status":"ok"/,
  });
});
