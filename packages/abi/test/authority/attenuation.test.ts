import fc from 'fast-check';
import t from 'tap';
import {
  type Attenuated,
  type AttenuationRequest,
  attenuationRefusals,
  type Grants,
  MAX_LIVE_CHILDREN,
  MAX_NESTING,
} from '../../src/authority/attenuation.ts';
import { mount } from '../../src/controls/mount.ts';
import type { Window } from '../../src/controls/window.ts';
import { parseLabel } from '../../src/label.ts';
import { parsePolicy } from '../../src/policy.ts';
import { holds } from '../property.ts';

/** An agent as plain values, from which both the request and the oracle are made. */
interface Plain {
  readonly rules: readonly string[];
  readonly groups: readonly number[];
  readonly mounts: readonly string[];
  readonly window: Window;
  readonly label: string;
  readonly tools: readonly string[];
  readonly path: readonly string[];
  readonly model: string;
  readonly approval: 'auto' | 'ask';
  readonly life: 'owned' | 'temp';
  readonly uid: number;
}

/** The child's rules have a subject each, the parent's are its own. */
interface Case {
  readonly parent: Plain;
  readonly child: Plain;
  readonly depth: number;
  readonly children: number;
}

const RUNNABLE = new Set(['tsh', 'fs.read', 'fs.list']);
const TAKEN = new Set(['coder_t', 'reviewer_t']);
const PARENT_LABEL = 'user_u:agent_r:lead_t:s0';

const subjectIn = (label: string) => label.split(':')[2] ?? label;

function agent(name: string, plain: Plain, rules: readonly string[]): Attenuated {
  const { uid, groups, window, tools, path, model, approval, life } = plain;
  return {
    name,
    owner: 1000,
    uid,
    gid: 1000,
    iso: 'shared',
    ...{ groups, window, tools, path, model, approval, life },
    label: parseLabel(plain.label),
    mount: mount.parse(plain.mounts.map((line) => `${line.replaceAll(' ', '\t')}\n`).join('')),
    policy: parsePolicy(rules.map((rule) => `allow ${rule}\n`).join('')),
  };
}

function request({ parent, child, depth, children }: Case, granted?: Grants): AttenuationRequest {
  return {
    parent: agent(
      'lead',
      parent,
      parent.rules.map((rule) => `${subjectIn(parent.label)} ${rule}`),
    ),
    child: agent('kid', child, child.rules),
    mayRun: (tool) => RUNNABLE.has(tool),
    takenSubjects: TAKEN,
    depth,
    children,
    ...(granted && { granted }),
  };
}

const refusedIn = (one: Case, granted?: Grants) =>
  [...new Set(attenuationRefusals(request(one, granted)).map(({ dimension }) => dimension))].sort();

/** Every place on the host that the generated mount lines can speak of. */
const PLACES = [
  '/p',
  '/p/sub',
  '/p/sub/x',
  '/p/y',
  '/q',
  '/q/deep',
  '/r',
  '/ctx',
  '/ctx/shared',
  '/ctx/shared/a',
];
const under = (place: string, top: string) => place === top || place.startsWith(`${top}/`);

/** What a parent sees of every place by itself: the longest source that policy lets it see. */
function modeAt(place: string, { mounts, rules }: Plain): 'no' | 'ro' | 'rw' {
  let best = ['/ctx', '/ctx', 'ro'];
  let length = under(place, '/ctx') ? 4 : -1;
  for (const line of mounts) {
    const [source, target, mode] = line.split(' ') as [string, string, string];
    const granted =
      (source === '/ctx' && target === '/ctx') ||
      rules.includes(`mount:${target.split('/').slice(1).join('.')} ${mode === 'rw' ? 'write' : 'read'}`);
    if (granted && under(place, source) && source.length >= length)
      [best, length] = [[source, target, mode], source.length];
  }
  return length < 0 ? 'no' : (best[2] as 'ro' | 'rw');
}

/** The oracle: what is refused, said of places, words and numbers and not of the code's own terms. */
function expected({ parent, child, depth, children }: Case): string[] {
  const wrong = new Set<string>();
  const subject = subjectIn(child.label);
  for (const rule of child.rules) {
    const [who, what, permission] = rule.split(' ') as [string, string, string];
    const had = parent.rules.includes(`${what} ${permission}`);
    const runs = !what.startsWith('tool:') || RUNNABLE.has(what.slice('tool:'.length));
    if (who !== subject || !had || !runs) wrong.add('policy');
  }
  if (!child.groups.every((gid) => parent.groups.includes(gid))) wrong.add('groups');
  for (const line of child.mounts) {
    const [source, , mode] = line.split(' ') as [string, string, string];
    const shown = PLACES.filter((place) => under(place, source)).map((place) => modeAt(place, parent));
    if (shown.includes('no') || (mode === 'rw' && shown.includes('ro'))) wrong.add('mount');
  }
  if (typeof parent.window === 'number' && !(Number(child.window) <= parent.window)) wrong.add('window');
  if (child.label !== parent.label) {
    const [user, role, , level] = child.label.split(':');
    if (TAKEN.has(subject) || user !== 'user_u' || role !== 'agent_r' || level !== 's0') wrong.add('label');
  }
  if (child.tools.some((tool) => !parent.tools.includes(tool))) wrong.add('tools');
  if (child.path.some((directory) => !parent.path.includes(directory))) wrong.add('path');
  if (!parent.rules.includes(`model:${child.model} use`)) wrong.add('model');
  if (parent.approval === 'ask' && child.approval === 'auto') wrong.add('approval');
  if (parent.life === 'temp' && child.life === 'owned') wrong.add('life');
  if (child.uid !== parent.uid) wrong.add('identity');
  if (depth >= 8) wrong.add('nesting');
  if (children >= 64) wrong.add('children');
  return [...wrong].sort();
}

const RULES = [
  'tool:tsh execute',
  'tool:fs.read execute',
  'tool:shell.exec execute',
  'model:main use',
  'model:debug/script use',
  'mount:p read',
  'mount:p write',
  'mount:q read',
  'mount:q write',
  'mount:workspace read',
  'mount:workspace write',
  'shared:team read',
  'session:default write',
  'agent:kid2 create',
  'network:default connect',
];
const SOURCES = ['/p', '/p/sub', '/p/sub/x', '/q', '/q/deep', '/r', '/ctx/shared'];

/** Mounts of the parent at targets that do not lie in each other: what lies in another is told apart below. */
const parentMounts = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...SOURCES), fc.constantFrom('ro', 'rw')), {
    selector: ([source]) => source,
    maxLength: 4,
  })
  .map((lines) =>
    lines.map(([source, mode], index) => `${source} ${['/p', '/q', '/s', '/t'][index]} ${mode} -`),
  );
const childMounts = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...SOURCES), fc.constantFrom('ro', 'rw')), {
    selector: ([source]) => source,
    maxLength: 2,
  })
  .map((lines) => lines.map(([source, mode], index) => `${source} ${['/p', '/q'][index]} ${mode} -`));

/** Mostly what the parent has, so that many requests are wrong in one dimension or in none. */
const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );

const parents: fc.Arbitrary<Plain> = fc.record({
  rules: fc.subarray(RULES, { minLength: 8 }),
  groups: fc.subarray([10, 20, 30]),
  mounts: parentMounts,
  window: fc.constantFrom<Window>('auto', 1, 4096, 8192),
  label: fc.constant(PARENT_LABEL),
  tools: fc.subarray(['fs.read', 'fs.list', 'shell.exec']),
  path: fc.subarray(['/ctx/tool', '/ctx/home/1000/tool']),
  model: fc.constant('main'),
  approval: fc.constantFrom('auto' as const, 'ask' as const),
  life: fc.constantFrom('owned' as const, 'temp' as const),
  uid: fc.constant(1000),
});

const cases: fc.Arbitrary<Case> = parents.chain((parent) => {
  const label = often(
    'user_u:agent_r:kid_t:s0',
    PARENT_LABEL,
    'user_u:agent_r:coder_t:s0',
    'root:agent_r:kid_t:s0',
    'kid_t',
  );
  return fc.record({
    parent: fc.constant(parent),
    child: label.chain((label) => {
      const subject = subjectIn(label);
      const own = fc.oneof(
        {
          weight: 3,
          arbitrary: fc
            .subarray([...parent.rules])
            .filter((rules) => !rules.includes('tool:shell.exec execute')),
        },
        { weight: 1, arbitrary: fc.subarray(RULES, { maxLength: 4 }) },
      );
      return fc.record({
        rules: fc
          .tuple(own, often(subject, 'other_t'))
          .map(([rules, who]) => rules.map((rule) => `${who} ${rule}`)),
        groups: fc.oneof(fc.subarray([...parent.groups]), fc.subarray([10, 20, 40])),
        mounts: fc.oneof(fc.constant([]), childMounts),
        window: often<Window>(parent.window, 'auto', 1, 4095, 4096, 4097, 9000),
        label: fc.constant(label),
        tools: fc.oneof(fc.subarray([...parent.tools]), fc.subarray(['fs.read', 'fs.list', 'fs.stat'])),
        path: fc.oneof(fc.constant(parent.path), fc.subarray(['/ctx/tool', '/workspace/bin'])),
        model: often('main', 'debug/script', 'openai/gpt'),
        approval: often(parent.approval, 'auto' as const, 'ask' as const),
        life: often(parent.life, 'owned' as const, 'temp' as const),
        uid: often(1000, 0),
      });
    }),
    depth: often(1, 0, 6, 7, 8, 9),
    children: often(3, 0, 63, 64, 65),
  });
});

t.test(
  '600 generated requests: refused in exactly the dimensions in which the oracle finds more than the parent has',
  async (t) => {
    const seen = new Map<string, number>();
    holds(
      t,
      fc.property(cases, (one) => {
        const [found, wanted] = [refusedIn(one), expected(one)];
        for (const dimension of wanted.length === 0 ? ['none'] : wanted)
          seen.set(dimension, (seen.get(dimension) ?? 0) + 1);
        return found.join() === wanted.join();
      }),
      600,
    );
    // A generator that never makes a dimension wrong would prove nothing about it.
    const all =
      'approval children groups identity label life model mount nesting none path policy tools window';
    t.strictSame([...seen.keys()].sort(), all.split(' '), 'each dimension was wrong, and none, in some');
  },
);

const parent: Plain = {
  rules: RULES.filter((rule) => !rule.startsWith('tool:shell')),
  groups: [10],
  mounts: ['/p /p rw rbind'],
  window: 4096,
  label: PARENT_LABEL,
  tools: ['fs.read'],
  path: ['/ctx/tool'],
  model: 'main',
  approval: 'auto',
  life: 'owned',
  uid: 1000,
};
const child: Plain = { ...parent, rules: [], groups: [], mounts: [], label: 'user_u:agent_r:kid_t:s0' };
const base: Case = { parent, child, depth: 1, children: 0 };
const asking = (more: Partial<Plain>, had: Partial<Plain> = {}): Case => ({
  ...base,
  parent: { ...parent, ...had },
  child: { ...child, ...more },
});

t.test('each dimension alone, and the reason it gives', async (t) => {
  const rows: readonly [Case, string, string][] = [
    [
      asking({ rules: ['kid_t tool:shell.exec execute'] }),
      'policy',
      '"allow kid_t tool:shell.exec execute": the parent has no such rule',
    ],
    [
      asking({ rules: ['lead_t model:main use'] }),
      'policy',
      '"allow lead_t model:main use": the subject of the child is kid_t',
    ],
    [
      asking({ rules: ['kid_t tool:shell.exec execute'] }, { rules: RULES }),
      'policy',
      '"allow kid_t tool:shell.exec execute": the tool does not let the parent',
    ],
    [asking({ groups: [11] }), 'groups', 'gid 11 is no group of the parent'],
    [asking({ mounts: ['/etc /p ro -'] }), 'mount', '/etc at /p ro: the parent does not see it'],
    [asking({ mounts: ['/ /p ro -'] }), 'mount', '/ at /p ro: the parent does not see it'],
    [asking({ mounts: ['/pp /p ro -'] }), 'mount', '/pp at /p ro: the parent does not see it'],
    [
      asking({ mounts: ['/p/a /p rw -'] }, { mounts: ['/p /p ro -'] }),
      'mount',
      '/p/a at /p rw: the parent sees /p read-only',
    ],
    [asking({ window: 4097 }), 'window', "4097 is more than the parent's 4096"],
    [asking({ window: 'auto' }), 'window', "auto may be more than the parent's 4096"],
    [asking({ label: 'user_u:agent_r:coder_t:s0' }), 'label', 'the subject "coder_t" is another agent\'s'],
    [asking({ tools: ['fs.list'] }), 'tools', '"fs.list" is not declared by the parent'],
    [asking({ path: ['/workspace'] }), 'path', "/workspace is not in the parent's path"],
    [asking({ model: 'openai/gpt' }), 'model', '"openai/gpt" is not the parent\'s to use'],
    [
      asking({}, { approval: 'ask' }),
      'approval',
      "the parent's calls are asked about, the child's would not be",
    ],
    [asking({}, { life: 'temp' }), 'life', 'the parent is temporary, so are its children'],
    [{ ...base, depth: MAX_NESTING }, 'nesting', 'it would be 9 deep; at most 8'],
    [{ ...base, children: MAX_LIVE_CHILDREN }, 'children', 'the parent has 64 living children; at most 64'],
    [asking({ uid: 0 }), 'identity', "uid is 0, the parent's is 1000"],
  ];
  for (const [one, dimension, reason] of rows)
    t.strictSame(attenuationRefusals(request(one)), [{ dimension, reason }], reason);
  t.strictSame(attenuationRefusals(request(base)), []);
  const all = asking({ rules: ['kid_t tool:shell.exec execute'], groups: [11], window: 'auto' });
  t.strictSame(refusedIn(all), ['groups', 'policy', 'window'], 'everything that is wrong is told at once');
});

t.test(
  'the label of the parent may be asked for, and its subject is then the one of the rules',
  async (t) => {
    t.strictSame(refusedIn(asking({ label: PARENT_LABEL, rules: ['lead_t model:main use'] })), []);
  },
);

t.test('what a mount of the parent hides from it stays hidden', async (t) => {
  const rules = [
    ...parent.rules,
    'mount:work read',
    'mount:work write',
    'mount:work.secret read',
    'mount:work.part read',
  ];
  const mounts = ['/p /work rw rbind', '/empty /work/secret ro -', '/p/part /work/part ro -'];
  const rows: readonly [string, boolean][] = [
    ['/p /work ro -', false],
    ['/p/secret /work ro -', false],
    ['/p/secret/deep /work rw -', false],
    ['/p/other /work rw -', true],
    ['/p/part /work ro -', true],
    ['/p/part /work rw -', false],
    ['/empty /work ro -', true],
  ];
  for (const [line, allowed] of rows)
    t.equal(refusedIn(asking({ mounts: [line] }, { mounts, rules })).length === 0, allowed, line);
});

t.test('options: nothing is executable or mounted along that was not for the parent', async (t) => {
  const had = (options: string) => ({ mounts: [`/p /p rw ${options}`] });
  t.strictSame(refusedIn(asking({ mounts: ['/p /p ro -'] }, had('noexec'))), ['mount']);
  t.strictSame(refusedIn(asking({ mounts: ['/p /p ro noexec'] }, had('noexec'))), []);
  t.strictSame(refusedIn(asking({ mounts: ['/p /p ro rbind'] }, had('bind'))), ['mount']);
  t.strictSame(refusedIn(asking({ mounts: ['/p /p ro bind,nodev'] }, had('rbind'))), []);
});

t.test('a line of the parent about /ctx restricts its children too', async (t) => {
  const had = { mounts: ['/ctx /ctx ro rbind', '/ctx/tool /ctx/tool ro noexec'] };
  t.strictSame(refusedIn(asking({}, had)), ['mount']);
  t.strictSame(refusedIn(asking({ mounts: ['/ctx/tool /ctx/tool ro noexec'] }, had)), []);
  t.strictSame(refusedIn(asking({ mounts: ['/ctx /ctx rw rbind'] })), ['mount']);
  t.strictSame(refusedIn(asking({ mounts: ['/ctx /ctx rw rbind'] }, { mounts: ['/ctx /ctx rw rbind'] })), []);
});

t.test('its own home and its own empty /tmp may stand in a child’s table, those of others not', async (t) => {
  const rows: readonly [string, boolean][] = [
    ['/ctx/home/1000/agent/kid /home/agent rw rbind', true],
    ['/ctx/home/1000/agent/lead /home/agent rw rbind', false],
    ['/tmp /tmp rw rbind', true],
    ['/tmp /t rw -', false],
    ['/tmp/x /tmp ro -', false],
  ];
  for (const [line, allowed] of rows)
    t.equal(refusedIn(asking({ mounts: [line] })).length === 0, allowed, line);
});

t.test('a supervisor may grant more, and exactly that', async (t) => {
  const more = asking({
    rules: ['kid_t tool:shell.exec execute', 'kid_t model:openai/gpt use'],
    groups: [11],
    mounts: ['/etc/x /p ro -'],
    model: 'openai/gpt',
  });
  t.strictSame(refusedIn(more), ['groups', 'model', 'mount', 'policy']);
  const grants = {
    rules: [
      { class: 'tool', object: 'shell.exec', permission: 'execute' },
      { class: 'model', object: 'openai/gpt', permission: 'use' },
    ],
    groups: [11],
    mounts: mount.parse('/etc/x\t/p\tro\t-\n'),
  } as const;
  t.strictSame(refusedIn(more, grants), []);
  t.strictSame(refusedIn(asking({ mounts: ['/etc/x /p rw -'] }), grants), ['mount']);
});
