import fc from 'fast-check';
import t from 'tap';
import { type HookFrame, parseHookFrame } from '../../src/frames/hook.ts';
import { jsonObject, nearFrame, objectName, parsesOrRefuses, runId, sessionName } from '../arbitrary.ts';
import { holds } from '../property.ts';

const frame = {
  abi: 'cortexfs.hook/v1',
  phase: 'pre',
  object: 'tool/fs.write',
  agent: 'coder',
  session: 'default',
  run: 'run-1',
  step: 0,
  input: { path: 'a', content: 'b' },
};

t.test('a hook learns what is about to happen, or happened', async (t) => {
  t.same(parseHookFrame(JSON.stringify(frame)), frame);
  const outside = {
    ...frame,
    phase: 'post',
    object: 'agent/coder',
    agent: null,
    session: null,
    run: null,
    step: null,
    input: 'hi',
  };
  t.same(parseHookFrame(JSON.stringify(outside)), outside);
});

t.test('a wrong frame is EINVAL', async (t) => {
  const bad = [
    { ...frame, abi: 'cortexfs.hook/v2' },
    { ...frame, phase: 'around' },
    { ...frame, object: 'model/x' },
    { ...frame, object: 'tool' },
    { ...frame, object: 'tool/a/b' },
    { ...frame, object: 'tool/../x' },
    { ...frame, extra: 1 },
    { ...frame, step: -1 },
    { ...frame, input: undefined },
  ];
  for (const value of bad)
    t.throws(() => parseHookFrame(JSON.stringify(value)), {
      code: 'EINVAL',
      message: /^invalid hook frame: /,
    });
});

t.test('property: frames come back', async (t) => {
  const any: fc.Arbitrary<HookFrame> = fc.record({
    abi: fc.constant('cortexfs.hook/v1' as const),
    phase: fc.constantFrom('pre' as const, 'post' as const),
    object: objectName.map((name) => `tool/${name}`),
    agent: fc.option(objectName),
    session: fc.option(sessionName),
    run: fc.option(runId),
    step: fc.option(fc.nat(8)),
    input: jsonObject,
  });
  holds(
    t,
    fc.property(
      any,
      (value) => JSON.stringify(parseHookFrame(JSON.stringify(value))) === JSON.stringify(value),
    ),
  );
  holds(
    t,
    fc.property(nearFrame(Object.keys(frame)), (extra) =>
      parsesOrRefuses(() => parseHookFrame(JSON.stringify({ ...frame, ...extra }))),
    ),
  );
});
