import t from 'tap';
import type { JsonObject } from '../../src/json.ts';
import { checkManifest, type InstallableClass } from '../../src/manifest.ts';

/** A control, a text that its file may not hold, and the one fault that a manifest with it has, behind `controls.NAME`. */
type Row = [control: string, text: string, fault: string];

const TOOL: Row[] = [
  ['description', '', ': must say what the tool does, but is blank'],
  ['description', '\n\n', ': must say what the tool does, but is blank'],
  ['description', '\t', ': must say what the tool does, but is blank'],
  ['description', 'a\rb', ':1: has a control character'],
  ['description', 'a\u0007b', ':1: has a control character'],
  ['description', 'a\u0085b', ':1: has a control character'],
  ['schema', '', ': invalid JSON at offset 0: unexpected end, expected a JSON value'],
  ['schema', 'null', ': expected a JSON object, not null'],
  ['schema', '[]', ': expected a JSON object, not an array'],
  ['schema', '"x"', ': expected a JSON object, not a string'],
  ['schema', '{"a":1,"a":2}', ': invalid JSON at offset 7: duplicate key "a"'],
  ['schema', '{"type":"object"} x', ': invalid JSON at offset 18: unexpected text after the value'],
  ['cap', 'Text', ':1: must be a word of a-z, 0-9 and . _ -, got "Text"'],
  ['cap', 'text text', ':1: must be a word of a-z, 0-9 and . _ -, got "text text"'],
  ['cap', 'text\n\nmcp', ':2: is blank'],
  ['cap', 'text\ntext', ':2: repeats "text"'],
  ['cap', ' text', ':1: has blanks around " text"'],
  ['cap', '9text', ':1: must be a word of a-z, 0-9 and . _ -, got "9text"'],
  [
    'cap',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ':1: must be a word of a-z, 0-9 and . _ -, got "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"',
  ],
  ['policy', 'allow', ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "allow"'],
  [
    'policy',
    'allow a_t tool:x',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "allow a_t tool:x"',
  ],
  [
    'policy',
    'allow a_t tool:x execute now',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "allow a_t tool:x execute now"',
  ],
  [
    'policy',
    'allow  a_t tool:x execute',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "allow  a_t tool:x execute"',
  ],
  [
    'policy',
    'deny a_t tool:x execute',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "deny a_t tool:x execute"',
  ],
  [
    'policy',
    'Allow a_t tool:x execute',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "Allow a_t tool:x execute"',
  ],
  ['policy', 'allow a_t tool:x read', ':1: tool has no permission "read", only execute'],
  ['policy', 'allow a_t file:x read', ':1: unknown class in "file:x"'],
  ['policy', 'allow a_t toolx execute', ':1: unknown class in "toolx"'],
  ['policy', 'allow a_t tool: execute', ':1: bad tool name ""'],
  ['policy', 'allow a/b tool:x execute', ':1: bad subject "a/b"'],
  ['policy', 'allow a_t model:a/b/c use', ':1: bad model name "a/b/c"'],
  ['policy', 'allow a_t network:example connect', ':1: bad network name "example"'],
  ['policy', 'allow a_t shared:x execute', ':1: shared has no permission "execute", only read, write'],
  [
    'policy',
    '# fine\n\nallow a_t tool:x execute\nallow a_t tool:x execut\n',
    ':4: tool has no permission "execut", only execute',
  ],
  [
    'policy',
    'allow a_t tool:x execute # why',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got "allow a_t tool:x execute # why"',
  ],
  [
    'policy',
    ' allow a_t tool:x execute',
    ':1: must be "allow SUBJECT CLASS:OBJECT PERMISSION", got " allow a_t tool:x execute"',
  ],
  ['mcp', '[]', ': expected a JSON object, not an array'],
  ['mcp', '{', ': invalid JSON at offset 1: expected a key in double quotes'],
  ['invoke.strategy', '', ': must hold one value, but is empty'],
  [
    'invoke.strategy',
    'a b',
    ': "a b" is not a valid object name: " " is not allowed; use letters, digits and . _ + -',
  ],
  ['invoke.strategy', 'a\nb', ': must hold one line'],
  ['invoke.strategy', '..', ': ".." is not a valid object name: it must begin with a letter or digit'],
];

const AGENT: Row[] = [
  ['owner', '', ': must hold one value, but is empty'],
  ['owner', 'root', ': owner must be a decimal number from 0 to 4294967294, got "root"'],
  ['owner', '01', ': owner must be a decimal number from 0 to 4294967294, got "01"'],
  ['owner', '+1', ': owner must be a decimal number from 0 to 4294967294, got "+1"'],
  ['owner', '4294967295', ': owner must be a decimal number from 0 to 4294967294, got "4294967295"'],
  ['owner', '1000\n1000', ': must hold one line'],
  ['owner', ' 1000', ': has blanks around the value: " 1000"'],
  ['uid', '1.0', ': uid must be a decimal number from 0 to 4294967294, got "1.0"'],
  ['uid', '1e3', ': uid must be a decimal number from 0 to 4294967294, got "1e3"'],
  ['gid', '', ': must hold one value, but is empty'],
  ['gid', '0x0', ': gid must be a decimal number from 0 to 4294967294, got "0x0"'],
  ['groups', 'a', ':1: gid must be a decimal number from 0 to 4294967294, got "a"'],
  ['groups', '4\n4', ':2: repeats "4"'],
  ['groups', '4\n\n5', ':2: is blank'],
  ['groups', '4 5', ':1: gid must be a decimal number from 0 to 4294967294, got "4 5"'],
  ['groups', '4294967295', ':1: gid must be a decimal number from 0 to 4294967294, got "4294967295"'],
  ['label', '', ': must hold one value, but is empty'],
  ['label', 'a:b:c:d:e', ': label must be user:role:type:level or one name, got "a:b:c:d:e"'],
  ['label', 'a::c:d', ': label must be user:role:type:level or one name, got "a::c:d"'],
  ['label', 'a b', ': label must be user:role:type:level or one name, got "a b"'],
  ['label', '.x', ': label must be user:role:type:level or one name, got ".x"'],
  ['iso', 'Shared', ': must be shared, uid or userns, got "Shared"'],
  ['iso', 'none', ': must be shared, uid or userns, got "none"'],
  ['iso', '', ': must hold one value, but is empty'],
  ['life', 'forever', ': must be owned or temp, got "forever"'],
  ['life', 'owned temp', ': must be owned or temp, got "owned temp"'],
  ['parent', '', ': must hold one value, but is empty'],
  ['parent', 'agent:', ': must be "root" or "agent:NAME [session:NAME] [run:ID]", got "agent:"'],
  ['parent', 'architect', ': must be "root" or "agent:NAME [session:NAME] [run:ID]", got "architect"'],
  [
    'parent',
    'agent:a session:',
    ': must be "root" or "agent:NAME [session:NAME] [run:ID]", got "agent:a session:"',
  ],
  [
    'parent',
    'agent:a run:r session:s',
    ': must be "root" or "agent:NAME [session:NAME] [run:ID]", got "agent:a run:r session:s"',
  ],
  [
    'parent',
    'agent:a  session:s',
    ': must be "root" or "agent:NAME [session:NAME] [run:ID]", got "agent:a  session:s"',
  ],
  [
    'parent',
    'agent:../x',
    ': "../x" is not a valid object name: "/" is not allowed; use letters, digits and . _ + -',
  ],
  [
    'parent',
    'agent:a session:index',
    ': "index" is not a valid session name: the name "index" is reserved for the list of sessions',
  ],
  ['root', '', ': must hold one value, but is empty'],
  ['root', 'relative', ': root must be an absolute path, got "relative"'],
  ['root', '/a/../b', ': root must have no ".." component, got "/a/../b"'],
  ['root', '/a//b', ': root must have no "" component, got "/a//b"'],
  ['root', '/a/', ': root must have no "" component, got "/a/"'],
  ['cwd', '.', ': cwd must be an absolute path, got "."'],
  ['cwd', '/a\n/b', ': must hold one line'],
  ['cwd', '/a/./b', ': cwd must have no "." component, got "/a/./b"'],
  ['env', 'NAME', ':1: must be KEY=VALUE, got "NAME"'],
  ['env', '1A=x', ':1: has a bad key "1A"'],
  ['env', 'A B=x', ':1: has a bad key "A B"'],
  ['env', 'A=1\nA=2', ':2: repeats the key "A"'],
  ['env', 'CTX_HOME=/x', ':1: may not set "CTX_HOME": variables that begin with CTX_ are the host\'s'],
  ['env', 'step_timeout_s=0', ':1: step_timeout_s must be a decimal number from 1 to 86400, got "0"'],
  ['env', 'step_timeout_s=x', ':1: step_timeout_s must be a decimal number from 1 to 86400, got "x"'],
  ['env', '=x', ':1: has a bad key ""'],
  ['path', 'relative', ':1: directory must be an absolute path, got "relative"'],
  ['path', '/a:/b', ':1: directory must have no ":", got "/a:/b"'],
  ['path', '/a\n/a', ':2: repeats "/a"'],
  ['path', '/a\n\n/b', ':2: is blank'],
  ['path', '/a/', ':1: directory must have no "" component, got "/a/"'],
  ['mount', '/a /b ro -', ':1: must have 4 fields with one TAB between them, has 1'],
  ['mount', '/a\t/b\tro', ':1: must have 4 fields with one TAB between them, has 3'],
  ['mount', 'a\t/b\tro\t-', ':1: source must be an absolute path, got "a"'],
  ['mount', '/a\tb\tro\t-', ':1: target must be an absolute path, got "b"'],
  ['mount', '/a\t/b\trx\t-', ':1: must be ro or rw, got "rx"'],
  ['mount', '/a\t/b\tro\t', ':1: has an unknown option ""'],
  ['mount', '/a\t/b\tro\tbind,bind', ':1: repeats the option "bind"'],
  ['mount', '/a\t/b\tro\tbind,rbind', ':1: has both "bind" and "rbind"'],
  ['mount', '/a\t/b\tro\texec', ':1: has an unknown option "exec"'],
  ['mount', '/a\t/b\tro\t-,bind', ':1: has an unknown option "-"'],
  ['mount', '/a\t/b\tro\t-\n/c\t/b\trw\t-', ':2: mounts "/b" a second time'],
  ['mount', '/a/../c\t/b\tro\t-', ':1: source must have no ".." component, got "/a/../c"'],
  ['mount', '/a\t/b\tro\t-\n\n', ':2: must have 4 fields with one TAB between them, has 1'],
  ['model', '', ': must hold one value, but is empty'],
  ['model', 'a/b/c', ': "a/b/c" is not a valid model name: expected provider/model'],
  ['model', 'a b', ': "a b" is not a valid object name: " " is not allowed; use letters, digits and . _ + -'],
  ['model', '/x', ': "" is not a valid provider name: it is empty'],
  ['model', 'x.sock', ': "x.sock" is not a valid object name: the endings ".sock" and ".d" are reserved'],
  ['abi', '', ': must end with a newline'],
  ['abi', 'sdk-envelope-v2\n', ': must be sdk-envelope-v1, got "sdk-envelope-v2"'],
  ['abi', 'sdk-envelope-v1', ': must end with a newline'],
  ['abi', 'sdk-envelope-v1\n\n', ': must hold one line'],
  [
    'window',
    '0\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "0\\n"',
  ],
  [
    'window',
    '01\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "01\\n"',
  ],
  [
    'window',
    '4294967296\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "4294967296\\n"',
  ],
  [
    'window',
    '-1\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "-1\\n"',
  ],
  [
    'window',
    'auto\n\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "auto\\n\\n"',
  ],
  [
    'window',
    ' auto\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got " auto\\n"',
  ],
  [
    'window',
    '1e3\n',
    ': must be "auto" or a number from 1 to 4294967295, on one line that ends with a newline, got "1e3\\n"',
  ],
  ['approval', 'ask', ': must end with a newline'],
  ['approval', 'never\n', ': must be auto or ask, got "never"'],
  ['approval', 'ask \n', ': has blanks around the value: "ask "'],
  ['approval', 'auto\nask\n', ': must hold one line'],
  ['tools', 'fs.read', ': must end with a newline'],
  ['tools', 'fs.read\nfs.read\n', ':2: repeats "fs.read"'],
  ['tools', '\n', ':1: is blank'],
  ['tools', ' fs.read\n', ':1: has blanks around " fs.read"'],
  ['tools', 'fs.read\ntsh\n', ':2: tsh is always callable and may not be declared'],
  [
    'tools',
    'a/b\n',
    ':1: "a/b" is not a valid object name: "/" is not allowed; use letters, digits and . _ + -',
  ],
  ['system.md', 'a\u001bb', ':1: has a control character'],
  ['prompt.template.md', 'a\n\u0000', ': must be Unicode text without NUL'],
  ['meta.json', '[]', ': expected a JSON object, not an array'],
  ['meta.json', '{"a":}', ': invalid JSON at offset 5: expected a JSON value'],
  [
    'policy',
    'allow helper_t agent:x execute',
    ':1: agent has no permission "execute", only create, start, stop, read, write',
  ],
];

const GOOD: Record<InstallableClass, JsonObject> = {
  tool: { description: 'Echo text.', schema: '{"type":"object"}', cap: 'text', policy: '' },
  agent: {
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
  },
};

function faultsOf(objectClass: InstallableClass, changed: JsonObject): string[] {
  const manifest = {
    schema: 'cortexfs.object/v2',
    version: '0.1.0',
    compatibility: { cortexfs: '>=0.1.7, <0.2.0' },
    class: objectClass,
    name: 'example.echo',
    executable: { path: 'bin/echo', sha256: '0123456789abcdef'.repeat(4) },
    controls: { ...GOOD[objectClass], ...changed },
  };
  const { manifest: valid, faults } = checkManifest(JSON.stringify(manifest));
  t.equal(valid === undefined, faults.length > 0);
  return faults.map(({ at, line, message }) => `${at}${line === undefined ? '' : `:${line}`}: ${message}`);
}

for (const [objectClass, rows] of [
  ['tool', TOOL],
  ['agent', AGENT],
] as const) {
  t.test(
    `controls of ${objectClass === 'tool' ? 'a tool' : 'an agent'}: each bad text is exactly one fault`,
    async (t) => {
      t.same(faultsOf(objectClass, {}), [], 'the manifest around them is fine');
      for (const [control, text, fault] of rows) {
        t.same(
          faultsOf(objectClass, { [control]: text }),
          [`controls.${control}${fault}`],
          `${control} ${JSON.stringify(text)}`,
        );
      }
    },
  );

  t.test(`a fault in every control of ${objectClass} at once: all are told`, async (t) => {
    const last = new Map(rows.map(([control, text, fault]) => [control, { text, fault }]));
    const texts = Object.fromEntries([...last].map(([control, { text }]) => [control, text]));
    const expected = [...last].map(([control, { fault }]) => `controls.${control}${fault}`);
    t.same(faultsOf(objectClass, texts).sort(), expected.sort());
  });
}

t.test('there are enough of them', async (t) => {
  t.ok(TOOL.length + AGENT.length >= 120, `${TOOL.length + AGENT.length} bad manifests`);
});
