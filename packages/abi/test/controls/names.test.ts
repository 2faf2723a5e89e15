import fc from 'fast-check';
import t from 'tap';
import { label } from '../../src/controls/label.ts';
import { model } from '../../src/controls/model.ts';
import { parent } from '../../src/controls/parent.ts';
import { tools } from '../../src/controls/tools.ts';
import { parseModelReference, parseObjectName, parseRunId, parseSessionName } from '../../src/names.ts';
import { canonical, refused } from './expectations.ts';

const name = fc
  .stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,20}[a-z0-9]$/)
  .filter((text) => !/\.(?:d|sock)$/.test(text));

t.test('tools: canonical names, one a line', async (t) => {
  canonical(t, tools, [
    ['', []],
    ['fs.read\nfs.list\n', [parseObjectName('fs.read'), parseObjectName('fs.list')]],
  ]);
  refused(t, tools, [
    ['fs.read', 'must end with a newline'],
    ['fs.read\nfs.list', 'must end with a newline'],
    ['\n', 'is blank', 1],
    ['fs.read\n\nfs.list\n', 'is blank', 2],
    ['fs.read\n\n', 'is blank', 2],
    ['fs.read \n', 'blanks around "fs.read "', 1],
    ['fs.read\n\tfs.list\n', 'blanks around', 2],
    ['fs.read\nfs.read\n', 'repeats "fs.read"', 2],
    ['fs.read\ntsh\n', 'tsh is always callable', 2],
    ['fs.read\n../x\n', 'not a valid object name', 2],
    ['a.sock\n', 'reserved', 1],
    ['a.d\n', 'reserved', 1],
    ['-x\n', 'must begin with a letter or digit', 1],
    ['fs.read\r\n', 'control character', 1],
    ['# x\n', 'not a valid object name', 1],
  ]);
  refused(t, tools, [[`${'x'.repeat(65)}\n`, 'longer than 64', 1]], 'ENAMETOOLONG');
});

t.test('tools: every list of different names survives', async (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(name.filter((text) => text !== 'tsh')), (names) => {
      const value = names.map(parseObjectName);
      t.same(tools.parse(tools.format(value)), value);
    }),
    { numRuns: 50 },
  );
});

t.test('model: provider/model or an alias', async (t) => {
  canonical(t, model, [
    ['main\n', parseModelReference('main')],
    ['openai/gpt-5.6\n', parseModelReference('openai/gpt-5.6')],
  ]);
  refused(t, model, [
    ['', 'is empty'],
    ['a/b/c\n', 'expected provider/model'],
    ['/b\n', 'it is empty'],
    ['a/\n', 'it is empty'],
    ['a/..\n', 'must begin with a letter or digit'],
    ['a b\n', '" " is not allowed'],
    ['main\nhelper\n', 'one line'],
  ]);
});

t.test('parent: root, or an agent, its session and run', async (t) => {
  canonical(t, parent, [
    ['root\n', { kind: 'root' }],
    ['agent:architect\n', { kind: 'agent', agent: parseObjectName('architect') }],
    [
      'agent:coder session:default\n',
      { kind: 'agent', agent: parseObjectName('coder'), session: parseSessionName('default') },
    ],
    [
      'agent:coder session:default run:01HZX\n',
      {
        kind: 'agent',
        agent: parseObjectName('coder'),
        session: parseSessionName('default'),
        run: parseRunId('01HZX'),
      },
    ],
    ['agent:coder run:r1\n', { kind: 'agent', agent: parseObjectName('coder'), run: parseRunId('r1') }],
  ]);
  const why = 'must be "root" or "agent:NAME [session:NAME] [run:ID]"';
  refused(t, parent, [
    ['', 'is empty'],
    ['coder\n', why],
    ['agent:\n', why],
    ['agent: coder\n', why],
    ['agent:coder  session:default\n', why],
    ['agent:coder run:r1 session:default\n', why],
    ['agent:coder session:a session:b\n', why],
    ['agent:coder:x\n', why],
    ['user:1000\n', why],
    ['agent:../x\n', 'not a valid object name'],
    ['agent:coder session:index\n', 'reserved'],
    ['agent:a\nagent:b\n', 'one line'],
  ]);
});

t.test('label: text and subject', async (t) => {
  canonical(t, label, [
    ['user_u:agent_r:coder_t:s0\n', { text: 'user_u:agent_r:coder_t:s0', subject: 'coder_t' }],
    ['coder\n', { text: 'coder', subject: 'coder' }],
  ]);
  refused(t, label, [
    ['', 'is empty'],
    ['a:b:c\n', 'label must be user:role:type:level or one name'],
  ]);
});
