import fc from 'fast-check';
import t from 'tap';
import type { JsonValue } from '../src/json.ts';
import { checkManifest, MAX_MANIFEST_BYTES } from '../src/manifest.ts';

type Json = { [key: string]: JsonValue };

const sha256 = '0123456789abcdef'.repeat(4);
const toolControls: Json = {
  description: 'Echo text.',
  schema: '{"type":"object"}',
  cap: 'text',
  policy: '',
};
const tool: Json = {
  schema: 'cortexfs.object/v2',
  version: '0.1.0',
  compatibility: { cortexfs: '>=0.1.7, <0.2.0' },
  class: 'tool',
  name: 'example.echo',
  executable: { path: 'target/release/example-echo-tool', sha256 },
  controls: toolControls,
};
const agentControls: Json = {
  owner: '1000\n',
  uid: '1000\n',
  gid: '1000\n',
  groups: '',
  label: 'user_u:agent_r:helper_t:s0\n',
  iso: 'shared\n',
  parent: 'agent:architect\n',
  life: 'owned\n',
  root: '/ctx/home/1000/agent/helper/root\n',
  cwd: '/workspace\n',
  env: '',
  path: '/ctx/tool\n',
  mount: '',
  model: 'main\n',
  abi: 'sdk-envelope-v1\n',
  policy: 'allow helper_t tool:fs.read execute\n',
};
const agent: Json = { ...tool, class: 'agent', name: 'helper', controls: agentControls };
const { version: _version, compatibility: _compatibility, ...unversioned } = tool;
const v1: Json = { ...unversioned, schema: 'cortexfs.object/v1' };

const without = (object: Json, ...keys: string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
const withControls = (object: Json, change: Json): Json => ({
  ...object,
  controls: { ...(object['controls'] as Json), ...change },
});
const faultsOf = (text: string) =>
  checkManifest(text).faults.map(
    ({ at, message, line }) => `${at}${line === undefined ? '' : `:${line}`}: ${message}`,
  );

t.test('a tool of version 2', async (t) => {
  const { manifest, executable, faults } = checkManifest(JSON.stringify(tool));
  t.same(faults, []);
  t.same(executable, { path: 'target/release/example-echo-tool', sha256 });
  t.same(manifest, {
    schema: 'cortexfs.object/v2',
    compatibility: { version: '0.1.0', cortexfs: '>=0.1.7, <0.2.0' },
    class: 'tool',
    name: 'example.echo',
    executable,
    controls: new Map(Object.entries(toolControls)),
  });
});

t.test('a tool of version 1 has no version', async (t) => {
  const { manifest, faults } = checkManifest(JSON.stringify(v1));
  t.same(faults, []);
  t.equal(manifest?.schema, 'cortexfs.object/v1');
  t.equal(manifest?.compatibility, undefined);
});

t.test('an agent, bare and with every optional control', async (t) => {
  t.equal(checkManifest(JSON.stringify(agent)).manifest?.class, 'agent');
  const optional = {
    window: 'auto\n',
    approval: 'ask\n',
    tools: 'fs.read\n',
    'system.md': 'You help.\n',
    'prompt.template.md': '{{agent_instructions}}\n',
    'meta.json': '{"purpose":"help"}',
  };
  t.same(faultsOf(JSON.stringify(withControls(agent, optional))), []);
  t.same(faultsOf(JSON.stringify(withControls(tool, { mcp: '{}', 'invoke.strategy': 'default\n' }))), []);
});

t.test('"." in the path of the executable is dropped', async (t) => {
  const { executable } = checkManifest(
    JSON.stringify({ ...tool, executable: { path: './bin/./x', sha256 } }),
  );
  t.equal(executable?.path, 'bin/x');
});

/** A manifest, as a value or as text, and exactly the faults it has. */
const bad: [name: string, manifest: Json | string, faults: string[]][] = [
  ['no JSON', '{', [': invalid JSON at offset 1: expected a key in double quotes']],
  ['an empty file', '', [': invalid JSON at offset 0: unexpected end, expected a JSON value']],
  ['an array', '[]', [': expected a JSON object, not an array']],
  [
    'a duplicate key',
    '{"schema":"cortexfs.object/v1","schema":"x"}',
    [': invalid JSON at offset 31: duplicate key "schema"'],
  ],
  [
    'nothing in it',
    '{}',
    [
      'schema: is missing',
      'class: is missing',
      'name: is missing',
      'executable: is missing',
      'controls: is missing',
    ],
  ],
  [
    'an unknown schema says nothing of version and compatibility',
    { ...tool, schema: 'cortexfs.object/v3', version: 1 },
    ['schema: must be cortexfs.object/v1 or cortexfs.object/v2, got "cortexfs.object/v3"'],
  ],
  [
    'unknown keys',
    { ...tool, author: 'x', $schema: 'y' },
    [': has an unknown key "author"', ': has an unknown key "$schema"'],
  ],
  [
    'a __proto__ key',
    `{"__proto__":{},${JSON.stringify(tool).slice(1)}`,
    [': has an unknown key "__proto__"'],
  ],
  [
    'version 1 with what belongs to version 2',
    { ...v1, version: '1.0.0', compatibility: { cortexfs: '*' } },
    ['version: belongs to cortexfs.object/v2', 'compatibility: belongs to cortexfs.object/v2'],
  ],
  [
    'version 2 without them',
    without(tool, 'version', 'compatibility'),
    ['version: is missing', 'compatibility: is missing'],
  ],
  ['a bad version', { ...tool, version: 'v1' }, ['version: must be a version such as 1.2.3, got "v1"']],
  ['a version that is a number', { ...tool, version: 1 }, ['version: must be a string, not a number']],
  [
    'compatibility that is no object',
    { ...tool, compatibility: '*' },
    ['compatibility: must be an object, not a string'],
  ],
  ['an empty compatibility', { ...tool, compatibility: {} }, ['compatibility.cortexfs: is missing']],
  [
    'compatibility with another product',
    { ...tool, compatibility: { cortexfs: '*', node: '20' } },
    ['compatibility: has an unknown key "node"'],
  ],
  [
    'a bad requirement',
    { ...tool, compatibility: { cortexfs: '>=0.1 <0.2' } },
    ['compatibility.cortexfs: is no version requirement: ">=0.1 <0.2"'],
  ],
  [
    'a requirement that this CortexFS does not meet',
    { ...tool, compatibility: { cortexfs: '^0.2' } },
    ['compatibility.cortexfs: asks for CortexFS "^0.2", this is 0.1.7'],
  ],
  [
    'a model',
    { ...tool, class: 'model', controls: { x: '' } },
    ['class: must be tool or agent, got "model"'],
  ],
  [
    'a bad name',
    { ...tool, name: '../x' },
    ['name: "../x" is not a valid object name: "/" is not allowed; use letters, digits and . _ + -'],
  ],
  [
    'a reserved name',
    { ...tool, name: 'x.sock' },
    ['name: "x.sock" is not a valid object name: the endings ".sock" and ".d" are reserved'],
  ],
  [
    'an executable that is a string',
    { ...tool, executable: 'x' },
    ['executable: must be an object, not a string'],
  ],
  [
    'an empty executable',
    { ...tool, executable: {} },
    ['executable.path: is missing', 'executable.sha256: is missing'],
  ],
  [
    'an executable with more keys',
    { ...tool, executable: { path: 'x', sha256, mode: '0755' } },
    ['executable: has an unknown key "mode"'],
  ],
  ...(
    [
      ['/bin/sh', `must be relative to the manifest's directory, got "/bin/sh"`],
      ['../x', `must stay beneath the manifest's directory, got "../x"`],
      ['a/../../x', `must stay beneath the manifest's directory, got "a/../../x"`],
      ['a/../x', `must stay beneath the manifest's directory, got "a/../x"`],
      ['', 'must name a file, got ""'],
      ['.', 'must name a file, got "."'],
      ['a//b', 'must name a file, got "a//b"'],
      ['a/', 'must name a file, got "a/"'],
      ['a\0b', 'has a control character: "a\\u0000b"'],
      ['a\nb', 'has a control character: "a\\nb"'],
      ['x'.repeat(4096), 'is longer than 4095 bytes'],
    ] as const
  ).map(([path, message]): [string, Json, string[]] => [
    `the path ${JSON.stringify(path.slice(0, 20))}`,
    { ...tool, executable: { path, sha256 } },
    [`executable.path: ${message}`],
  ]),
  ...[sha256.toUpperCase(), sha256.slice(1), `${sha256}0`, `sha256:${sha256.slice(7)}`, ''].map(
    (digest): [string, Json, string[]] => [
      `the digest ${JSON.stringify(digest.slice(0, 12))}`,
      { ...tool, executable: { path: 'x', sha256: digest } },
      [
        `executable.sha256: must be 64 lowercase hexadecimal digits, got ${JSON.stringify(digest.slice(0, 60) + (digest.length > 60 ? '…' : ''))}`,
      ],
    ],
  ),
  ['controls that are a list', { ...tool, controls: [] }, ['controls: must be an object, not an array']],
  [
    'a tool without controls',
    { ...tool, controls: {} },
    [
      'controls.description: is missing',
      'controls.schema: is missing',
      'controls.cap: is missing',
      'controls.policy: is missing',
    ],
  ],
  [
    'an agent without controls',
    { ...agent, controls: {} },
    Object.keys(agentControls).map((name) => `controls.${name}: is missing`),
  ],
  [
    'controls of the other class, projections and inventions',
    withControls(tool, { label: 'x', status: 'ready', name: 'x', log: '', 'hooks/pre.d': '' }),
    ['label', 'status', 'name', 'log', 'hooks/pre.d'].map((key) => `controls: has an unknown key "${key}"`),
  ],
  ['an agent with projections', withControls(agent, { pid: '1' }), ['controls: has an unknown key "pid"']],
  [
    'a control that is no text',
    withControls(tool, { cap: ['text'] }),
    ['controls.cap: must be a string, not an array'],
  ],
  ['a control that is null', withControls(tool, { mcp: null }), ['controls.mcp: must be a string, not null']],
  [
    'a blank description',
    withControls(tool, { description: ' \n' }),
    ['controls.description: must say what the tool does, but is blank'],
  ],
  [
    'a terminal escape in a description',
    withControls(tool, { description: 'a\n\u001b[2J' }),
    ['controls.description:2: has a control character'],
  ],
  [
    'a schema that is no JSON',
    withControls(tool, { schema: '{' }),
    ['controls.schema: invalid JSON at offset 1: expected a key in double quotes'],
  ],
  [
    'a schema that is a boolean',
    withControls(tool, { schema: 'true' }),
    ['controls.schema: expected a JSON object, not a boolean'],
  ],
  [
    'a bad cap',
    withControls(tool, { cap: 'text\nTEXT' }),
    ['controls.cap:2: must be a word of a-z, 0-9 and . _ -, got "TEXT"'],
  ],
  [
    'a bad policy line',
    withControls(tool, { policy: '# x\nallow a_t tool:* execute\n' }),
    ['controls.policy:2: bad tool name "*"'],
  ],
  [
    'a control over 64 KiB',
    withControls(tool, { description: 'x'.repeat(65_537) }),
    ['controls.description: a control holds at most 65536 bytes, this has 65537'],
  ],
  [
    'a label without a subject',
    withControls(agent, { label: 'a:b:c\n' }),
    ['controls.label: label must be user:role:type:level or one name, got "a:b:c"'],
  ],
  [
    'a bad mount table',
    withControls(agent, { mount: '/a\t/a\tro\t-\n/b\t/b\tro\tsuid\n' }),
    ['controls.mount:2: has an unknown option "suid"'],
  ],
  [
    'a window that is not canonical',
    withControls(agent, { window: 'auto' }),
    [
      'controls.window: must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "auto"',
    ],
  ],
  [
    'approval, tools and abi that are not canonical',
    withControls(agent, { approval: 'ask', tools: 'fs.read', abi: 'sdk-envelope-v1' }),
    [
      'controls.tools: must end with a newline',
      'controls.abi: must end with a newline',
      'controls.approval: must end with a newline',
    ],
  ],
  [
    'tsh among the tools',
    withControls(agent, { tools: 'tsh\n' }),
    ['controls.tools:1: tsh is always callable and may not be declared'],
  ],
  [
    'another abi',
    withControls(agent, { abi: 'raw\n' }),
    ['controls.abi: must be sdk-envelope-v1, got "raw"'],
  ],
  [
    'environment of the host',
    withControls(agent, { env: 'CTX_ROOT=/x' }),
    [`controls.env:1: may not set "CTX_ROOT": variables that begin with CTX_ are the host's`],
  ],
  [
    'many faults at once, each is told',
    {
      ...agent,
      version: '1',
      compatibility: { cortexfs: 'latest' },
      name: '',
      executable: { path: '/x', sha256: '0' },
      controls: { ...agentControls, uid: '-1', iso: 'none', extra: '' },
      more: true,
    },
    [
      ': has an unknown key "more"',
      'version: must be a version such as 1.2.3, got "1"',
      'compatibility.cortexfs: is no version requirement: "latest"',
      'name: "" is not a valid object name: it is empty',
      `executable.path: must be relative to the manifest's directory, got "/x"`,
      'executable.sha256: must be 64 lowercase hexadecimal digits, got "0"',
      'controls: has an unknown key "extra"',
      'controls.uid: uid must be a decimal number from 0 to 4294967294, got "-1"',
      'controls.iso: must be shared, uid or userns, got "none"',
    ],
  ],
];

for (const [name, manifest, faults] of bad) {
  t.test(`refused: ${name}`, async (t) => {
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
    t.same(faultsOf(text), faults);
    t.equal(checkManifest(text).manifest, undefined);
  });
}

t.test('each required key alone', async (t) => {
  for (const key of Object.keys(tool))
    t.same(faultsOf(JSON.stringify(without(tool, key))), [`${key}: is missing`]);
  for (const key of Object.keys(agentControls)) {
    t.same(faultsOf(JSON.stringify({ ...agent, controls: without(agentControls, key) })), [
      `controls.${key}: is missing`,
    ]);
  }
});

t.test('a megabyte is the limit', async (t) => {
  const text = JSON.stringify(tool);
  const padded = (bytes: number) => text + ' '.repeat(bytes - text.length);
  t.same(faultsOf(padded(MAX_MANIFEST_BYTES)), []);
  t.match(checkManifest(padded(MAX_MANIFEST_BYTES + 1)).faults, [{ at: '', code: 'EMSGSIZE' }]);
});

t.test('the executable can be looked at although other things are wrong', async (t) => {
  t.same(checkManifest(JSON.stringify({ ...tool, name: '' })).executable, tool['executable']);
});

t.test("the tool's schema is compiled by whom the caller names", async (t) => {
  const seen: unknown[] = [];
  checkManifest(JSON.stringify(tool), { compileSchema: (schema) => seen.push(schema) });
  t.same(seen, [{ type: 'object' }]);
  const { faults } = checkManifest(JSON.stringify(tool), {
    compileSchema: () => {
      throw new Error('unknown keyword "typ"');
    },
  });
  t.match(faults, [{ at: 'controls.schema', message: 'is no usable JSON Schema: unknown keyword "typ"' }]);
});

t.test('the product version is the one given', async (t) => {
  const text = JSON.stringify({ ...tool, compatibility: { cortexfs: '^3.1' } });
  t.same(checkManifest(text, { productVersion: '3.2.0' }).faults, []);
});

t.test('any JSON and any text gives a report', async () => {
  const mutated = fc
    .record({ key: fc.constantFrom(...Object.keys(tool)), value: fc.jsonValue({ maxDepth: 2 }) })
    .map(({ key, value }) => JSON.stringify({ ...tool, [key]: value }));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), mutated), (text) => {
      const { manifest, faults } = checkManifest(text);
      return (manifest === undefined) === faults.length > 0;
    }),
    { numRuns: 500 },
  );
});
