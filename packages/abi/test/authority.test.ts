import fc from 'fast-check';
import t from 'tap';
import type { AuthorityRequest } from '../src/authority/facts.ts';
import { AUTHORITY_LAYERS } from '../src/authority/verdict.ts';
import { decide, refusalError, requireAllowed } from '../src/authority.ts';
import { CortexError, describeError } from '../src/errors.ts';
import { parseLabel } from '../src/label.ts';
import { EMPTY_POLICY, parsePolicy } from '../src/policy.ts';

const rule = 'allow coder_t tool:fs.read execute';
const unreadable = new CortexError('EINVAL', 'must be "allow …"', { line: 3 });

/** A request that every layer allows. */
const open: AuthorityRequest = {
  agent: {
    name: 'coder',
    owner: 1000,
    uid: 2000,
    gid: 2000,
    groups: [50],
    label: parseLabel('user_u:agent_r:coder_t:s0'),
    policy: parsePolicy(rule),
  },
  caller: { uid: 2000, rootAllowed: false },
  class: 'tool',
  object: 'fs.read',
  permission: 'execute',
  file: { uid: 0, gid: 0, mode: 0o100755 },
  mount: { visible: true, writable: false, noexec: false },
  objectPolicy: parsePolicy(rule),
  direct: { declared: ['fs.read'], path: ['/ctx/tool'], directory: '/ctx/tool' },
};
const agent = (change: Partial<AuthorityRequest['agent']>): AuthorityRequest => ({
  ...open,
  agent: { ...open.agent, ...change },
});

t.test('allowed when every layer allows', async (t) => {
  const decision = decide(open);
  t.equal(decision.allowed, true);
  t.same(
    decision.verdicts.map(({ layer, verdict }) => [layer, verdict]),
    AUTHORITY_LAYERS.map((layer) => [layer, 'allowed']),
  );
  t.same(
    decision.verdicts.map(({ reason }) => reason),
    [
      "uid 2000 is the agent's",
      'uid 2000 may execute it',
      'visible, ro',
      'subject coder_t',
      rule,
      rule,
      'found in /ctx/tool',
      'declared in agent/coder.d/tools',
    ],
  );
  t.doesNotThrow(() => requireAllowed(decision, 'tool/fs.read'));
});

/** One layer at a time: what is changed, the layer that must refuse, its errno name and its exact words. */
const refusals: [name: string, request: AuthorityRequest, layer: string, code: string, reason: string][] = [
  [
    "a caller that is not the agent's",
    { ...open, caller: { uid: 1001, rootAllowed: true } },
    'credentials',
    'EACCES',
    'uid 1001 may not act for agent coder, which belongs to uid 1000',
  ],
  [
    'uid 0 where root has no say',
    { ...open, caller: { uid: 0, rootAllowed: false } },
    'credentials',
    'EACCES',
    'uid 0 may not act for agent coder, which belongs to uid 1000',
  ],
  ['no such file', { ...open, file: 'missing' }, 'mode', 'ENOENT', 'no such object'],
  [
    'a tool without a file',
    { ...open, file: 'none' },
    'mode',
    'EACCES',
    'a tool is a file, and none was shown',
  ],
  [
    'no execute bit for others',
    { ...open, file: { uid: 0, gid: 0, mode: 0o754 } },
    'mode',
    'EACCES',
    'uid 2000 may not execute it: mode 0754, owner 0:0',
  ],
  [
    "the group's bits decide for a member, though others have more",
    { ...open, file: { uid: 0, gid: 50, mode: 0o705 } },
    'mode',
    'EACCES',
    'uid 2000 may not execute it: mode 0705, owner 0:50',
  ],
  [
    "the owner's bits decide for the owner, though others have more",
    { ...open, file: { uid: 2000, gid: 0, mode: 0o655 } },
    'mode',
    'EACCES',
    'uid 2000 may not execute it: mode 0655, owner 2000:0',
  ],
  [
    'uid 0 holds no capability in a sandbox',
    {
      ...open,
      agent: { ...open.agent, uid: 0 },
      caller: { uid: 0, rootAllowed: false },
      file: { uid: 1, gid: 1, mode: 0o750 },
    },
    'mode',
    'EACCES',
    'uid 0 may not execute it: mode 0750, owner 1:1',
  ],
  [
    'a tool without a mount',
    { ...open, mount: 'none' },
    'mount',
    'EACCES',
    'a tool is a file, and no mount was shown',
  ],
  [
    'hidden by the mount table',
    { ...open, mount: { visible: false, writable: true, noexec: false } },
    'mount',
    'ENOENT',
    "no mount of the agent's shows it",
  ],
  [
    'noexec',
    { ...open, mount: { visible: true, writable: true, noexec: true } },
    'mount',
    'EACCES',
    'its mount is noexec',
  ],
  [
    'a bad label',
    agent({ label: new CortexError('EINVAL', 'label must be …') }),
    'label',
    'EACCES',
    'agent label is unusable: label must be …',
  ],
  [
    'an agent policy without the rule',
    agent({ policy: EMPTY_POLICY }),
    'agent-policy',
    'EACCES',
    `agent policy has no "${rule}"`,
  ],
  [
    'an agent policy with the rule for another subject',
    agent({ policy: parsePolicy('allow reviewer_t tool:fs.read execute') }),
    'agent-policy',
    'EACCES',
    `agent policy has no "${rule}"`,
  ],
  [
    'a broken agent policy',
    agent({ policy: unreadable }),
    'agent-policy',
    'EACCES',
    'agent policy is unusable: line 3: must be "allow …"',
  ],
  [
    'a tool policy without the rule',
    { ...open, objectPolicy: EMPTY_POLICY },
    'object-policy',
    'EACCES',
    `tool policy has no "${rule}"`,
  ],
  [
    'a tool that has no policy',
    { ...open, objectPolicy: 'none' },
    'object-policy',
    'EACCES',
    'the tool has no policy',
  ],
  [
    'a broken tool policy',
    { ...open, objectPolicy: unreadable },
    'object-policy',
    'EACCES',
    'tool policy is unusable: line 3: must be "allow …"',
  ],
  [
    'found outside the path',
    { ...open, direct: { ...open.direct!, directory: '/workspace' } },
    'path',
    'EACCES',
    "/workspace is not in the agent's path",
  ],
  [
    'an unusable path',
    { ...open, direct: { ...open.direct!, path: new CortexError('EINVAL', 'is blank', { line: 2 }) } },
    'path',
    'EACCES',
    'agent path is unusable: line 2: is blank',
  ],
  [
    'not declared',
    { ...open, direct: { ...open.direct!, declared: ['fs.list'] } },
    'declaration',
    'EACCES',
    '"fs.read" is not declared in agent/coder.d/tools',
  ],
  [
    'unusable declarations',
    { ...open, direct: { ...open.direct!, declared: new CortexError('EINVAL', 'must end with a newline') } },
    'declaration',
    'EACCES',
    'agent tools are unusable: must end with a newline',
  ],
];

for (const [name, request, layer, code, reason] of refusals) {
  t.test(`refused: ${name}`, async (t) => {
    const decision = decide(request);
    t.match(decision, { allowed: false, layer, code, reason });
    t.equal(decision.verdicts.length, AUTHORITY_LAYERS.length, 'every layer still answers');
    t.throws(() => requireAllowed(decision, 'tool/fs.read'), {
      code,
      message: reason,
      path: 'tool/fs.read',
      layer,
    });
  });
}

t.test('the refusal as people read it', async (t) => {
  const request: AuthorityRequest = { ...open, object: 'fs.write', direct: undefined };
  const decision = decide(request);
  if (decision.allowed) throw new Error('must be refused');
  t.equal(
    describeError(refusalError(decision, 'tool/fs.write')),
    'EACCES: tool/fs.write: agent policy has no "allow coder_t tool:fs.write execute"',
  );
});

t.test("the agent's owner may ask, and uid 0 where root has a say", async (t) => {
  t.match(decide({ ...open, caller: { uid: 1000, rootAllowed: false } }), { allowed: true });
  t.match(decide({ ...open, caller: { uid: 0, rootAllowed: true } }), { allowed: true });
});

t.test('a group counts as primary and as supplementary', async (t) => {
  t.match(decide({ ...open, file: { uid: 0, gid: 2000, mode: 0o010 } }), { allowed: true });
  t.match(decide({ ...open, file: { uid: 0, gid: 50, mode: 0o010 } }), { allowed: true });
  t.match(decide({ ...open, file: { uid: 0, gid: 51, mode: 0o010 } }), { allowed: false, layer: 'mode' });
});

t.test('without a direct call, path and declaration have no say; tsh is always declared', async (t) => {
  const { direct: _, ...indirect } = open;
  t.match(decide({ ...indirect, object: 'fs.read' }), { allowed: true });
  const policy = parsePolicy('allow coder_t tool:tsh execute');
  t.match(
    decide({
      ...open,
      object: 'tsh',
      objectPolicy: policy,
      agent: { ...open.agent, policy },
      direct: { ...open.direct!, declared: [] },
    }),
    { allowed: true },
  );
});

t.test('a model is granted by its identity or by an alias that leads to it', async (t) => {
  const use = (text: string, aliases: string[]) =>
    decide({
      ...open,
      agent: { ...open.agent, policy: parsePolicy(text) },
      class: 'model',
      object: 'debug/script',
      permission: 'use',
      objectPolicy: 'none',
      aliases,
      direct: undefined,
    });
  t.match(use('allow coder_t model:debug/script use', []), { allowed: true });
  t.match(use('allow coder_t model:main use', ['main', 'helper']), { allowed: true });
  t.match(use('allow coder_t model:main use', ['helper']), {
    allowed: false,
    reason: 'agent policy has no "allow coder_t model:debug/script use"',
  });
});

t.test('network touches no file; writing needs a writable mount and the write bit', async (t) => {
  const policy = parsePolicy('allow coder_t network:default connect\nallow coder_t mount:workspace write\n');
  const bare: AuthorityRequest = {
    ...open,
    agent: { ...open.agent, policy },
    objectPolicy: 'none',
    direct: undefined,
  };
  t.match(
    decide({
      ...bare,
      class: 'network',
      object: 'default',
      permission: 'connect',
      file: 'none',
      mount: 'none',
    }),
    { allowed: true },
  );
  const write: AuthorityRequest = {
    ...bare,
    class: 'mount',
    object: 'workspace',
    permission: 'write',
    file: { uid: 2000, gid: 0, mode: 0o755 },
  };
  t.match(decide({ ...write, mount: { visible: true, writable: true, noexec: false } }), { allowed: true });
  t.match(decide({ ...write, mount: { visible: true, writable: false, noexec: false } }), {
    allowed: false,
    layer: 'mount',
    code: 'EROFS',
    reason: 'its mount is read-only',
  });
});

t.test('the first refusal is the answer, whatever else refuses', async () => {
  const change = fc.subarray(
    refusals.map(([, request]) => request),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(change, (requests) => {
      const merged = requests.reduce((all, request) => merge(all, request), open);
      const decision = decide(merged);
      const first = decision.verdicts.find(({ verdict }) => verdict === 'refused');
      return !decision.allowed && decision.layer === first?.layer && decision.reason === first.reason;
    }),
  );
});

/** Takes from `request` what differs from the open request. */
function merge(all: AuthorityRequest, request: AuthorityRequest): AuthorityRequest {
  const changed = Object.entries(request).filter(
    ([key, value]) => value !== open[key as keyof AuthorityRequest],
  );
  return { ...all, ...Object.fromEntries(changed) };
}
