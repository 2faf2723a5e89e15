import fc from 'fast-check';
import t from 'tap';
import { formatCleanupReceipt, parseCleanupReceipt } from '../../src/receipt/cleanup.ts';
import { formatLaunchReceipt, parseLaunchReceipt } from '../../src/receipt/launch.ts';
import { formatMountReceipt, parseMountReceipt } from '../../src/receipt/mount.ts';
import * as arbitrary from '../arbitrary.ts';
import { holds } from '../property.ts';

const created_at = '2026-03-01T12:00:00.000Z';
const launch = {
  schema: 'cortexfs.launch/v1',
  agent: 'coder',
  session: 'default',
  role: 'socket',
  supervisor: 'direct',
  unit: null,
  invocation: null,
  pid: 4242,
  start_time: 123456,
  boot_id: '6e2f5bde-0000-4000-8000-000000000000',
  uid: 1000,
  gid: 1000,
  groups: [27],
  label: 'user_u:agent_r:coder_t:s0',
  socket: '/run/user/1000/cortexfs/agent/coder.sock',
  workspace: '/home/alex/project',
  created_at,
};
const mount = {
  schema: 'cortexfs.mount/v1',
  pid: 4242,
  start_time: 123456,
  source: '/home/alex/.local/share/cortexfs/store',
  root: '/ctx',
  transport: 'fuse-native',
  runner: '/usr/bin/cortexfs-object-runner',
  uid: 1000,
  created_at,
};
const cleanup = {
  schema: 'cortexfs.cleanup/v1',
  agent: 'coder',
  reason: 'stopped by uid 1000',
  instances: [
    { role: 'socket', session: 'default', pid: 7, start_time: 1, outcome: 'exited' },
    {
      role: 'terminal',
      session: 'default',
      pid: 8,
      start_time: 1,
      outcome: 'refused',
      detail: 'pid 8 started later',
    },
  ],
  stopped_at: created_at,
};

const receipts = [
  {
    title: 'launch',
    value: launch,
    parse: parseLaunchReceipt,
    format: formatLaunchReceipt as (value: object) => string,
  },
  {
    title: 'mount',
    value: mount,
    parse: parseMountReceipt,
    format: formatMountReceipt as (value: object) => string,
  },
  {
    title: 'cleanup',
    value: cleanup,
    parse: parseCleanupReceipt,
    format: formatCleanupReceipt as (value: object) => string,
  },
];

for (const { title, value, parse, format } of receipts) {
  t.test(`a ${title} receipt is one line and comes back`, async (t) => {
    const line = format(value);
    t.equal(line, `${JSON.stringify(value)}\n`);
    t.same(parse(line), value);
  });

  t.test(`a ${title} receipt with an unknown, missing, double or wrong field proves nothing`, async (t) => {
    t.throws(() => parse(JSON.stringify({ ...value, extra: 1 })), {
      code: 'EINVAL',
      message: `invalid ${title} receipt: unknown field "extra"`,
    });
    t.throws(() => parse(JSON.stringify(value).replace('{', '{"schema":"x",')), {
      code: 'EINVAL',
      message: /duplicate key "schema"/,
    });
    t.throws(() => parse(JSON.stringify({ ...value, schema: 'cortexfs.other/v1' })), {
      code: 'EINVAL',
      message: /"schema"/,
    });
    for (const key of Object.keys(value).filter((key) => key !== 'boot_id')) {
      t.throws(() => parse(JSON.stringify({ ...value, [key]: undefined })), {
        message: `invalid ${title} receipt: the field "${key}" is missing`,
      });
      t.throws(() => parse(JSON.stringify({ ...value, [key]: true })), {
        code: 'EINVAL',
        message: new RegExp(`"${key}"`),
      });
    }
    for (const torn of ['', '{', JSON.stringify(value).slice(0, -9)])
      t.throws(() => parse(torn), { code: 'EINVAL' });
  });

  t.test(`property: any ${title} receipt is read or refused`, async (t) => {
    const near = arbitrary
      .nearFrame(Object.keys(value))
      .map((extra) => JSON.stringify({ ...value, ...extra }));
    holds(
      t,
      fc.property(near, (json) => arbitrary.parsesOrRefuses(() => parse(json))),
    );
  });
}

t.test('process ids and start times are numbers that a process can have', async (t) => {
  for (const pid of [0, -1, 1.5, '7'])
    t.throws(() => parseLaunchReceipt(JSON.stringify({ ...launch, pid })), {
      code: 'EINVAL',
      message: /"pid"/,
    });
  t.throws(() => parseLaunchReceipt(JSON.stringify({ ...launch, uid: 0xffff_ffff })), {
    code: 'EINVAL',
    message: /"uid"/,
  });
  t.throws(() => parseMountReceipt(JSON.stringify({ ...mount, root: 'ctx' })), {
    code: 'EINVAL',
    message: /absolute path/,
  });
});

t.test('property: launch receipts come back', async (t) => {
  const any = fc.record({
    agent: arbitrary.objectName,
    session: arbitrary.sessionName,
    pid: fc.integer({ min: 1 }),
    start_time: fc.nat(),
    groups: fc.array(fc.nat(), { maxLength: 4 }),
    socket: arbitrary.absolutePath,
    workspace: fc.option(arbitrary.absolutePath),
    label: arbitrary.textWithoutNul,
    created_at: arbitrary.timestamp,
  });
  holds(
    t,
    fc.property(any, (fields) => {
      const line = `${JSON.stringify({ ...launch, ...fields })}\n`;
      return formatLaunchReceipt(parseLaunchReceipt(line)) === line;
    }),
  );
});
