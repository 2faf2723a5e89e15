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
    ...['--cwd', '/workspace/a', '--mount', '/x:/y', '--mount', '/z:/v:rw'],
    ...['--', 'bash', '-c', '--json', '--', '--help'],
  ];
  t.same(parseArguments(argv), {
    command: 'start',
    name: 'coder',
    session: 's1',
    workspace: `${process.cwd()}/w`,
    cwd: '/workspace/a',
    mounts: [
      { source: '/x', target: '/y', mode: 'ro' },
      { source: '/z', target: '/v', mode: 'rw' },
    ],
    after: ['bash', '-c', '--json', '--', '--help'],
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
    cwd: undefined,
    mounts: [],
    after: [],
  });
  t.equal(parseArguments(['start', 'coder', '--no-default-workspace']).workspace, null);
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
    [['start', '--', '-coder'], 'EINVAL', /NAME is missing|cannot be the name/],
    [['start', 'coder', '--', '-coder'], 'EINVAL', /"-coder" cannot be the name of a tool/],
    [['start', 'coder', '--cwd', 'a'], 'EINVAL', /absolute/],
    [['start', 'coder', '--mount', 'a'], 'EINVAL', /SOURCE:TARGET/],
    [['start', 'coder', '--no-default-workspace', '--workspace', 'a'], 'EINVAL', /exclude each other/],
    [['stop', 'coder', '--no-default-workspace'], 'EINVAL', /goes with start/],
    [['status', '--cwd', '/a'], 'EINVAL', /--cwd goes with start/],
    [['stop', 'coder', '--', 'bash'], 'EINVAL', /COMMAND after -- goes with start/],
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
