import fc from 'fast-check';
import t from 'tap';
import {
  checkLaunch,
  formatInvocation,
  type Invocation,
  MAX_CONTEXT_BYTES,
  MAX_OBSERVATION_BYTES,
  parseInvocation,
} from '../src/invocation.ts';
import { MAX_FRAME_BYTES } from '../src/jsonl.ts';
import type { CallId, ObjectName, RunId } from '../src/names.ts';
import { anyText, callId, hostileText, nearFrame, objectName, parsesOrRefuses, runId } from './arbitrary.ts';
import { holds } from './property.ts';

const observation = {
  tool_call_id: 'call-1' as CallId,
  name: 'example.echo' as ObjectName,
  status: 'ok' as const,
  content: 'authoritative normalized result',
  truncated: false,
};
const second: Invocation = {
  schema: 'cortexfs.agent-invocation/v1',
  run: 'run-1' as RunId,
  step: 1,
  input: 'original user input',
  history_messages: '[]',
  tool_context: '',
  observation,
};
const first: Invocation = { ...second, step: 0, observation: null };
const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

t.test('an envelope is one object and one newline', async (t) => {
  for (const value of [first, second]) {
    t.same(parseInvocation(line(value)), value);
    t.equal(formatInvocation(value).toString(), `${JSON.stringify(value)}\n`);
  }
});

t.test('any other byte around the object is EINVAL', async (t) => {
  const json = JSON.stringify(first);
  const texts = [
    '',
    '\n',
    json,
    ` ${json}\n`,
    `${json} \n`,
    `${json}\r\n`,
    `${json}\n\n`,
    `${json}\n${json}\n`,
    `\ufeff${json}\n`,
    `[${json}]\n`,
  ];
  for (const text of texts)
    t.throws(
      () => parseInvocation(Buffer.from(text)),
      { code: 'EINVAL', layer: /agent|format/ },
      JSON.stringify(text.slice(0, 9)),
    );
});

t.test('an unknown or missing field is EINVAL, at both levels', async (t) => {
  for (const key of Object.keys(second)) {
    const { [key as keyof Invocation]: _, ...rest } = second;
    t.throws(() => parseInvocation(line(rest)), {
      code: 'EINVAL',
      message: `invalid invocation: the field "${key}" is missing`,
    });
  }
  for (const key of Object.keys(observation)) {
    const { [key as keyof typeof observation]: _, ...rest } = observation;
    t.throws(() => parseInvocation(line({ ...second, observation: rest })), {
      code: 'EINVAL',
      message: `invalid invocation: "observation": the field "${key}" is missing`,
    });
  }
  t.throws(() => parseInvocation(line({ ...second, token: 'x' })), {
    message: 'invalid invocation: unknown field "token"',
  });
  t.throws(() => parseInvocation(line({ ...second, observation: { ...observation, extra: 1 } })), {
    message: 'invalid invocation: "observation": unknown field "extra"',
  });
});

t.test('only step 0 has no observation', async (t) => {
  t.throws(() => parseInvocation(line({ ...first, observation })), {
    code: 'EINVAL',
    message: /step 0 must have "observation":null/,
  });
  t.throws(() => parseInvocation(line({ ...second, observation: null })), {
    code: 'EINVAL',
    message: /step 1 needs an observation/,
  });
});

t.test('there are steps 0 to 8', async (t) => {
  t.ok(parseInvocation(line({ ...second, step: 8 })));
  for (const step of [9, -1, 1.5, '1'])
    t.throws(() => parseInvocation(line({ ...second, step })), { code: 'EINVAL', message: /"step"/ });
});

t.test('texts are limited in bytes: exactly is fine, one more is EMSGSIZE', async (t) => {
  for (const key of ['input', 'history_messages', 'tool_context']) {
    const most = `${'é'.repeat(MAX_CONTEXT_BYTES / 2)}`;
    t.ok(parseInvocation(line({ ...first, [key]: most })), key);
    t.throws(() => parseInvocation(line({ ...first, [key]: `${most}x` })), {
      code: 'EMSGSIZE',
      message: `invalid invocation: "${key}": 65537 bytes are more than the limit of 65536`,
    });
  }
  const content = 'x'.repeat(MAX_OBSERVATION_BYTES);
  t.ok(parseInvocation(line({ ...second, observation: { ...observation, content } })));
  t.throws(
    () => parseInvocation(line({ ...second, observation: { ...observation, content: `${content}x` } })),
    {
      code: 'EMSGSIZE',
      message: /"observation.content": 16385 bytes are more than the limit of 16384/,
    },
  );
});

t.test('the whole is limited to 1 MiB before anything is parsed', async (t) => {
  const escaped = {
    ...first,
    input: '\u0001'.repeat(MAX_CONTEXT_BYTES),
    history_messages: '\u0001'.repeat(MAX_CONTEXT_BYTES),
  };
  t.ok(line(escaped).length < MAX_FRAME_BYTES, 'escapes make 6 bytes of one');
  t.ok(parseInvocation(line(escaped)));
  const fatter = { ...escaped, tool_context: escaped.input };
  t.throws(() => parseInvocation(line(fatter)), {
    code: 'EMSGSIZE',
    message: /it has 11\d{5} bytes; the limit is 1048576/,
  });
  t.throws(() => formatInvocation(fatter), { code: 'EMSGSIZE' });
});

t.test('what would be refused is not written', async (t) => {
  t.throws(() => formatInvocation({ ...first, observation }), { code: 'EINVAL' });
  t.throws(() => formatInvocation({ ...second, step: 9 }), { code: 'EINVAL' });
  t.throws(() => formatInvocation({ ...first, input: 'x'.repeat(MAX_CONTEXT_BYTES + 1) }), {
    code: 'EMSGSIZE',
  });
});

t.test('an envelope belongs to the launch that its environment tells', async (t) => {
  checkLaunch(second, { CTX_RUN_ID: 'run-1', CTX_AGENT_STEP: '1' });
  const faults: [Record<string, string>, string][] = [
    [
      { CTX_RUN_ID: 'run-2', CTX_AGENT_STEP: '1' },
      'invalid invocation: "run" is "run-1", but CTX_RUN_ID is "run-2"',
    ],
    [
      { CTX_RUN_ID: 'run-1', CTX_AGENT_STEP: '01' },
      'invalid invocation: "step" is "1", but CTX_AGENT_STEP is "01"',
    ],
    [{ CTX_AGENT_STEP: '1' }, 'invalid invocation: "run" is "run-1", but CTX_RUN_ID is not set'],
  ];
  for (const [env, message] of faults) t.throws(() => checkLaunch(second, env), { code: 'EINVAL', message });
});

const anyInvocation: fc.Arbitrary<Invocation> = fc
  .record({ run: runId, input: anyText, history_messages: anyText, tool_context: anyText, step: fc.nat(8) })
  .chain((head) =>
    (head.step === 0
      ? fc.constant(null)
      : fc.record({
          tool_call_id: callId,
          name: objectName,
          status: fc.constantFrom('ok' as const, 'error' as const),
          content: anyText,
          truncated: fc.boolean(),
        })
    ).map((observed) => ({
      schema: 'cortexfs.agent-invocation/v1' as const,
      ...head,
      observation: observed,
    })),
  );

t.test('property: what is written is read back', async (t) => {
  holds(
    t,
    fc.property(anyInvocation, (value) => {
      const bytes = formatInvocation(value);
      return formatInvocation(parseInvocation(bytes)).equals(bytes);
    }),
  );
});

t.test('property: anything else is refused with a typed error', async (t) => {
  const words = Object.keys({ ...second, ...observation });
  const near = nearFrame(words).map((extra) => line({ ...second, ...extra }));
  const inputs = fc.oneof(
    fc.uint8Array(),
    near,
    hostileText.map((text) => Buffer.from(`{${text}}\n`)),
  );
  holds(
    t,
    fc.property(inputs, (bytes) => parsesOrRefuses(() => parseInvocation(bytes))),
    500,
  );
});
