import t from 'tap';
import type { JsonObject } from '../../src/json.ts';
import { checkManifest, type InstallableClass } from '../../src/manifest.ts';
import { AGENT, TOOL } from './bad-controls.ts';

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
