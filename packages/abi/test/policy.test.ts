import fc from 'fast-check';
import t from 'tap';
import { policy } from '../src/controls/policy.ts';
import { CortexError } from '../src/errors.ts';
import {
  allows,
  EMPTY_POLICY,
  formatPolicy,
  formatRule,
  PERMISSIONS,
  type PolicyClass,
  type PolicyRule,
  parseAccess,
  parsePolicy,
  policyOf,
} from '../src/policy.ts';
import { canonical, refused } from './controls/expectations.ts';

const rule = (text: string) => parsePolicy(text).rules;

t.test('every class with each of its permissions', async (t) => {
  const lines = [
    'allow coder_t tool:fs.read execute',
    'allow coder_t model:openai/gpt-5.6 use',
    'allow coder_t model:main use',
    'allow coder_t shared:project-a read',
    'allow coder_t shared:project-a write',
    'allow coder_t session:default read',
    'allow coder_t session:default write',
    'allow coder_t session:default resume',
    'allow coder_t mount:workspace read',
    'allow coder_t mount:workspace write',
    'allow coder_t agent:reviewer create',
    'allow coder_t agent:reviewer start',
    'allow coder_t agent:reviewer stop',
    'allow coder_t agent:reviewer read',
    'allow coder_t agent:reviewer write',
    'allow coder_t network:default connect',
  ];
  const text = `${lines.join('\n')}\n`;
  canonical(t, policy, [[text, parsePolicy(text)]]);
  t.equal(parsePolicy(text).rules.length, lines.length);
  t.equal(Object.values(PERMISSIONS).flat().length, lines.length - 1, 'nothing is left out');
});

t.test('blank lines and whole-line comments say nothing', async (t) => {
  t.same(rule('# who may read\n\n   \nallow a_t tool:x execute\n#allow b_t tool:x execute\n'), [
    { subject: 'a_t', class: 'tool', object: 'x', permission: 'execute' },
  ]);
  t.same(rule(''), []);
  t.same(rule('\n'), []);
  t.equal(rule('allow a_t tool:x execute').length, 1, 'the final newline may be missing');
});

t.test('a bad line spoils the whole file and is named', async (t) => {
  const good = 'allow a_t tool:x execute\n';
  refused(t, policy, [
    [`${good}deny a_t tool:x execute\n`, 'must be "allow SUBJECT CLASS:OBJECT PERMISSION"', 2],
    [`${good}\n# c\nallow a_t\n`, 'must be "allow', 4],
    ['Allow a_t tool:x execute\n', 'must be "allow', 1],
    ['allow a_t tool:x execute # why\n', 'must be "allow', 1],
    ['allow a_t tool:x execute \n', 'must be "allow', 1],
    [' allow a_t tool:x execute\n', 'must be "allow', 1],
    [' # indented\n', 'must be "allow', 1],
    ['allow  a_t tool:x execute\n', 'must be "allow', 1],
    ['allow\ta_t\ttool:x\texecute\n', 'must be "allow', 1],
    ['allow a_t tool:x\n', 'must be "allow', 1],
    ['allow a_t tool:x execute read\n', 'must be "allow', 1],
    ['allow a_t tool:x execute,read\n', 'tool has no permission "execute,read", only execute', 1],
    ['allow a_t tool:x read\n', 'tool has no permission "read"', 1],
    ['allow a_t model:x execute\n', 'model has no permission "execute", only use', 1],
    ['allow a_t session:x create\n', 'session has no permission "create", only read, write, resume', 1],
    ['allow a_t file:x read\n', 'unknown class in "file:x"', 1],
    ['allow a_t Tool:x execute\n', 'unknown class', 1],
    ['allow a_t __proto__:x execute\n', 'unknown class', 1],
    ['allow a_t toString:x execute\n', 'unknown class', 1],
    ['allow a_t tool execute\n', 'unknown class in "tool"', 1],
    ['allow a_t :x execute\n', 'unknown class', 1],
    ['allow a_t tool: execute\n', 'bad tool name ""', 1],
    ['allow a_t tool:* execute\n', 'bad tool name "*"', 1],
    ['allow a_t tool:fs.* execute\n', 'bad tool name "fs.*"', 1],
    ['allow a_t tool:a/b execute\n', 'bad tool name "a/b"', 1],
    ['allow a_t tool:.. execute\n', 'bad tool name ".."', 1],
    ['allow a_t tool:x.d execute\n', 'bad tool name "x.d"', 1],
    ['allow a_t tool:x:y execute\n', 'bad tool name "x:y"', 1],
    ['allow a_t model:a/b/c use\n', 'bad model name "a/b/c"', 1],
    ['allow a_t model:/b use\n', 'bad model name "/b"', 1],
    ['allow a_t model:a/* use\n', 'bad model name "a/*"', 1],
    ['allow a_t network:eth0 connect\n', 'bad network name "eth0"', 1],
    ['allow * tool:x execute\n', 'bad subject "*"', 1],
    ['allow a:b tool:x execute\n', 'bad subject "a:b"', 1],
    ['allow a_t tool:x execute\r\n', 'no permission "execute\\r"', 1],
  ]);
});

t.test('only what a rule says exactly is allowed', async (t) => {
  const granted = parsePolicy('allow coder_t tool:fs.read execute\nallow coder_t session:default read\n');
  t.ok(allows(granted, 'coder_t', 'tool', 'fs.read', 'execute'));
  t.ok(allows(granted, 'coder_t', 'session', 'default', 'read'));
  t.notOk(allows(granted, 'coder_t', 'session', 'default', 'write'));
  t.notOk(allows(granted, 'coder_t', 'session', 'other', 'read'));
  t.notOk(allows(granted, 'reviewer_t', 'tool', 'fs.read', 'execute'));
  t.notOk(allows(granted, 'coder_t', 'tool', 'fs.rea', 'execute'));
  t.notOk(allows(granted, 'coder_t', 'tool', 'fs.read', ''));
  t.notOk(allows(EMPTY_POLICY, 'coder_t', 'tool', 'fs.read', 'execute'));
});

t.test('access as a command line names it', async (t) => {
  t.same(parseAccess('model:debug/echo', 'use'), { class: 'model', object: 'debug/echo', permission: 'use' });
  t.throws(() => parseAccess('debug/echo', 'use'), { code: 'EINVAL' });
  t.throws(() => parseAccess('model:debug/echo', 'run'), { code: 'EINVAL' });
});

const name = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_+-]{0,20}$/);
const access = fc.constantFrom(...(Object.keys(PERMISSIONS) as PolicyClass[])).chain((objectClass) =>
  fc.record({
    subject: name,
    class: fc.constant(objectClass),
    object: objectClass === 'network' ? fc.constant('default') : name,
    permission: fc.constantFrom(...PERMISSIONS[objectClass]),
  }),
);

t.test('every set of rules survives, and grants exactly its rules', async (t) => {
  fc.assert(
    fc.property(fc.array(access), access, (rules: PolicyRule[], other: PolicyRule) => {
      const read = parsePolicy(formatPolicy(policyOf(rules)));
      t.same(read.rules, rules);
      const expected = rules.some((candidate) => formatRule(candidate) === formatRule(other));
      t.equal(allows(read, other.subject, other.class, other.object, other.permission), expected);
    }),
    { numRuns: 60 },
  );
});

t.test('one changed character never widens a policy', async () => {
  const text = 'allow coder_t tool:fs.read execute\n';
  fc.assert(
    fc.property(
      fc.nat(text.length - 2),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      (at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        if (changed === text) return true;
        try {
          const { rules } = parsePolicy(changed);
          return rules.every((candidate) => `${formatRule(candidate)}\n` === changed);
        } catch (err) {
          return err instanceof CortexError;
        }
      },
    ),
    { numRuns: 500 },
  );
});
