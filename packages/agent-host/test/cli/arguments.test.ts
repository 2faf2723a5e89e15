import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { parseArguments } from '../../src/cli/arguments.ts';

t.test('a command with everything', async (t) => {
  const argv = [
    'start',
    'coder',
    '--session',
    's1',
    '--workspace',
    'w',
    '--root',
    '/r',
    '--source',
    '/s',
    '--runtime',
    '/d',
    '--supervisor',
    'direct',
    '--json',
  ];
  t.same(parseArguments(argv), {
    command: 'start',
    name: 'coder',
    session: 's1',
    workspace: `${process.cwd()}/w`,
    root: '/r',
    source: '/s',
    runtime: '/d',
    supervisor: 'direct',
    unit: undefined,
    json: true,
    all: false,
  });
});

t.test('what is left out has its default', async (t) => {
  t.match(parseArguments(['stop', 'coder']), {
    session: 'default',
    workspace: process.cwd(),
    json: false,
    root: undefined,
  });
  t.equal(parseArguments(['status']).name, undefined);
});

t.test('wrong words are named', async (t) => {
  const wrong: [string[], string, RegExp][] = [
    [['begin', 'coder'], 'EINVAL', /"begin" is not a command/],
    [['start'], 'EINVAL', /NAME is missing/],
    [['start', 'coder', 'extra'], 'EINVAL', /"extra"/],
    [['start', '../coder'], 'EINVAL', /coder/],
    [['start', 'coder', '--session', 'index'], 'EINVAL', /reserved/],
    [['start', 'coder', '--sesion', 'x'], 'EINVAL', /--sesion/],
    [['start', 'coder', '--session'], 'EINVAL', /--session/],
    [['start', '-coder'], 'EINVAL', /-c/],
    [['start', '--', '-coder'], 'EINVAL', /begin with a letter/],
    [['start', 'coder', '--supervisor', 'x'], 'EINVAL', /"x" is not a supervisor/],
    [['serve', 'coder', '--report-fd', '1'], 'EINVAL', /above 2/],
  ];
  for (const [argv, code, message] of wrong)
    t.throws(() => parseArguments(argv), { code, message }, argv.join(' '));
});

t.test('no command line makes it throw anything else', async () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('start', 'stop', 'coder', '--session', '--json', '--', '-x', '--root='),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      try {
        parseArguments(argv);
        return true;
      } catch (error) {
        return error instanceof CortexError;
      }
    }),
  );
});
