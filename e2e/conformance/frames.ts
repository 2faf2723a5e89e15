import { MAX_FRAME_BYTES } from '@cortexfs/abi/jsonl';
import type { Test } from 'tap';
import type { RawClient } from '../raw-client.ts';
import type { Rules, Scene } from './place.ts';

/** What the socket does with bytes, whatever they ask for. */
export const frameRules: Rules = [
  ['ping is answered with pong, a thousand in one write with a thousand', pings],
  ['a frame of 1 MiB is read, with one byte more it is EMSGSIZE', sizes],
  ['a frame of 20 MiB gets one EMSGSIZE and the connection stays usable', oversized],
  ['a frame may come byte by byte, and many in one piece', pieces],
  ['unknown fields are ignored, also __proto__, constructor and deep ones', unknownFields],
  ['an unknown op, and what is no request, is EINVAL and harms nothing', notRequests],
  ['invalid UTF-8, deep nesting, duplicate keys and lone surrogates are EINVAL', notJson],
  ['names with separators, reserved endings or controls are EINVAL', notNames],
  ['half a line at the end is dropped; what was asked before it is answered', halfLine],
];

async function pings(t: Test, { open }: Scene) {
  const client = open(t);
  t.strictSame(await client.send('{"op":"ping"}\n').next(), { type: 'pong' });
  client.send('{"op":"ping"}\n'.repeat(1000));
  for (let count = 1; count < 1000; count++) await client.next();
  t.strictSame(await client.next(), { type: 'pong' });
}

const padded = (bytes: number) => {
  const [head, tail] = ['{"op":"ping","pad":"', '"}\n'];
  return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
};

async function sizes(t: Test, { open }: Scene) {
  const client = open(t);
  for (const [more, answer] of [
    [-1, { type: 'pong' }],
    [0, { type: 'pong' }],
    [1, { type: 'error', code: 'EMSGSIZE' }],
    [0, { type: 'pong' }],
  ] as const)
    t.match(await client.send(padded(MAX_FRAME_BYTES + more)).next(), answer, `1 MiB and ${more}`);
}

async function oversized(t: Test, { open }: Scene) {
  const client = open(t);
  t.match(await client.send(padded(20 * MAX_FRAME_BYTES)).next(), { type: 'error', code: 'EMSGSIZE' });
  await stillUsable(t, client);
}

async function pieces(t: Test, { open }: Scene) {
  const client = open(t);
  for (const byte of '{"op":"ping"}\n{"op":"pi') {
    client.send(byte);
    await new Promise(setImmediate);
  }
  t.match(await client.next(), { type: 'pong' });
  client.send('ng"}\n{"op":"ping"}\n{"op"');
  t.match([await client.next(), await client.next()], [{ type: 'pong' }, { type: 'pong' }]);
}

async function unknownFields(t: Test, { open }: Scene) {
  const client = open(t);
  for (const extra of [
    '"op2":"stop"',
    '"__proto__":{"op":"stop"}',
    '"constructor":{"prototype":{"op":"stop"}}',
    `"deep":${'['.repeat(60)}${']'.repeat(60)}`,
    '"id":7',
  ])
    t.match(await client.send(`{"op":"ping",${extra}}\n`).next(), { type: 'pong' }, extra.slice(0, 40));
}

async function notRequests(t: Test, { open }: Scene) {
  const send = { op: 'send', id: 'a', session: 'frames', input: 'x' };
  await allRefused(t, open(t), [
    ...['', 'not json', '7', '[]', 'null', '"ping"', '{}', '{"op":"fly"}', '{"op":7}', '{"op":null}'],
    ...['{"op":"PING"}', '{"op":"ping"} {"op":"ping"}', '{"__proto__":{"op":"ping"}}'],
    ...['id', 'session', 'input'].map((missing) => JSON.stringify({ ...send, [missing]: undefined })),
    ...[{ input: 7 }, { cwd: 'relative' }, { cwd: 7 }, { scope: 'public' }, { scope: 'shared' }].map(
      (wrong) => JSON.stringify({ ...send, ...wrong }),
    ),
    '{"op":"resume","session":"frames","after":"17"}',
    '{"op":"resume","session":"frames","after":"e-1"}',
    '{"op":"tsh","id":"a","session":"frames","args":"load"}',
    '{"op":"cancel"}',
  ]);
}

async function notJson(t: Test, { open }: Scene) {
  const bytes = (text: string, ...inserted: number[]) =>
    Buffer.concat([Buffer.from(`{"op":"ping","x":"${text}`), Buffer.from(inserted), Buffer.from('"}\n')]);
  await allRefused(t, open(t), [
    bytes('invalid', 0xff, 0xfe),
    bytes('overlong', 0xc0, 0xaf),
    bytes('surrogate', 0xed, 0xa0, 0x80),
    bytes('cut off', 0xe4, 0xbd),
    Buffer.from('\ufeff{"op":"ping"}\n'),
    '{"op":"ping","x":"\\ud800"}',
    '{"op":"ping","\\udc00":1}',
    '{"op":"ping","op":"ping"}',
    '{"op":"ping","x":{"__proto__":1,"__proto__":2}}',
    `{"op":"ping","x":${'['.repeat(64)}${']'.repeat(64)}}`,
    `{"op":"ping","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `{"op":"ping","x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    '{"op":"ping","x":1e999}',
    '{"op":"ping","x":"tab\there"}',
  ]);
}

async function notNames(t: Test, { open }: Scene) {
  const sessions = ['', '.', '..', '../x', 'a/b', 'a\nb', 'a\0', 'x.sock', 'x.d', '-x', 'index', '名'];
  const ids = ['', 'a b', 'a\n', 'é', 'x'.repeat(129)];
  await allRefused(t, open(t), [
    ...sessions.map((session) => JSON.stringify({ op: 'send', id: 'a', session, input: 'x' })),
    ...ids.map((id) => JSON.stringify({ op: 'send', id, session: 'frames', input: 'x' })),
  ]);
  const long = JSON.stringify({ op: 'status', session: 'x'.repeat(65) });
  t.match(await open(t).send(`${long}\n`).next(), { type: 'error', code: 'ENAMETOOLONG' });
}

async function halfLine(t: Test, { open }: Scene) {
  const client = open(t);
  client.end('{"op":"ping"}\n{"op":"send","id":"half","session":"half","input":"!say never"}');
  await client.ended();
  t.strictSame(client.frames, [{ type: 'pong' }]);
  t.match(await open(t).send({ op: 'status', session: 'half' }).next(), { type: 'error', code: 'ENOENT' });
}

/** Each line gets one EINVAL, and the connection is as good as before. */
async function allRefused(t: Test, client: RawClient, lines: readonly (string | Buffer)[]): Promise<void> {
  for (const line of lines) {
    client.send(typeof line === 'string' ? `${line}\n` : line);
    t.match(await client.next(), { type: 'error', code: 'EINVAL' }, JSON.stringify(line).slice(0, 80));
  }
  await stillUsable(t, client);
}

async function stillUsable(t: Test, client: RawClient): Promise<void> {
  t.match(await client.send({ op: 'ping' }).next(), { type: 'pong' }, 'the connection stays usable');
}
