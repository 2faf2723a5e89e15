import fc from 'fast-check';
import t from 'tap';
import { codecFor, controlEntry, controlNames, OBJECT_CLASSES } from '../../src/controls/registry.ts';
import { CortexError } from '../../src/errors.ts';

t.test('the controls of each class', async (t) => {
  t.same(controlNames('agent').sort(), [
    'abi',
    'approval',
    'cwd',
    'env',
    'gid',
    'groups',
    'iso',
    'label',
    'life',
    'log',
    'meta.json',
    'model',
    'mount',
    'owner',
    'parent',
    'path',
    'pid',
    'policy',
    'prompt.template.md',
    'root',
    'status',
    'system.md',
    'tools',
    'uid',
    'window',
  ]);
  t.same(controlNames('tool').sort(), [
    'cap',
    'config',
    'description',
    'invoke.strategy',
    'log',
    'mcp',
    'name',
    'policy',
    'schema',
    'status',
  ]);
  t.same(controlNames('model').sort(), [
    'cap',
    'default',
    'driver',
    'effort',
    'fallback',
    'id',
    'limit',
    'log',
    'session',
    'status',
  ]);
});

t.test('other names are no controls', async (t) => {
  for (const name of ['', 'hooks', 'Label', 'label ', '__proto__', 'constructor', 'toString', '../policy']) {
    for (const objectClass of OBJECT_CLASSES)
      t.equal(codecFor(objectClass, name), undefined, `${objectClass} ${name}`);
  }
  t.equal(codecFor('model', 'policy'), undefined, 'a model has no policy');
  t.equal(codecFor('tool', 'label'), undefined, 'a tool has no label');
});

t.test('what says whose an agent is, and what it runs as, is for uid 0', async (t) => {
  const roots = controlNames('agent').filter((name) => controlEntry('agent', name)?.writer === 'root');
  t.same(roots, ['owner', 'uid', 'gid', 'groups', 'iso', 'parent']);
});

t.test('projections are for nobody', async (t) => {
  const closed = (objectClass: 'agent' | 'tool' | 'model') =>
    controlNames(objectClass).filter((name) => controlEntry(objectClass, name)?.writer === 'nobody');
  t.same(closed('agent'), ['status', 'pid', 'log']);
  t.same(closed('tool'), ['name', 'status', 'log']);
  t.same(closed('model'), ['limit', 'status', 'log']);
  t.equal(controlEntry('agent', 'status')?.dynamic, true);
  t.equal(controlEntry('agent', 'pid')?.dynamic, true);
  t.equal(controlEntry('agent', 'policy')?.dynamic, false);
});

for (const objectClass of OBJECT_CLASSES) {
  for (const name of controlNames(objectClass)) {
    const codec = codecFor(objectClass, name)!;

    t.test(
      `${objectClass} ${name}: any text is refused by a CortexError, or survives once read`,
      async (t) => {
        const text = fc.oneof(fc.string({ unit: 'binary' }), nearMisses);
        fc.assert(
          fc.property(text, (content) => {
            let value: unknown;
            try {
              value = codec.parse(content);
            } catch (err) {
              return err instanceof CortexError;
            }
            const canonical = codec.format(value);
            t.same(codec.parse(canonical), value);
            return codec.format(codec.parse(canonical)) === canonical;
          }),
          { numRuns: 200 },
        );
      },
    );
  }
}

/** Texts close to what some control accepts, so that the properties look at more than refusals. */
const nearMisses = fc
  .array(
    fc.constantFrom(
      'auto',
      'ask',
      'shared',
      'main',
      'debug/echo',
      'coder',
      'fs.read',
      'tsh',
      '0',
      '1000',
      '/a',
      '/a/b',
      'A=1',
      '=',
      ':',
      'allow',
      'coder_t',
      'tool:fs.read',
      'execute',
      'agent:coder',
      'session:s',
      'root',
      'ro',
      'rw',
      '-',
      'bind',
      ',',
      ' ',
      '\t',
      '\n',
      '\r',
      '\0',
      '{}',
      '{"a":1}',
      'default=debug',
      '..',
      '#',
      'sdk-envelope-v1',
      'user_u:agent_r:coder_t:s0',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
