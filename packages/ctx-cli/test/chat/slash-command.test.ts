import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { parseObjectName, parseSessionName } from '@cortexfs/abi/names';
import t from 'tap';
import { slashCommand } from '../../src/chat/slash-command.ts';

const root = mkdtempSync('/tmp/ctx-slash-');
t.teardown(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(`${root}/agent/coder.d`, { recursive: true });
writeFileSync(`${root}/agent/coder.d/model`, 'main\n');
writeFileSync(`${root}/agent/coder.d/tools`, 'fs.read\n');
writeFileSync(`${root}/agent/coder.d/window`, '');
const place = { root, agent: parseObjectName('coder'), session: parseSessionName('default') };

t.test('each command of /help prints something or leaves', (t) => {
  const print = (word: string) => {
    const command = slashCommand(word, place);
    return typeof command === 'object' ? command.print : `does ${command}`;
  };
  const help = print('/help');
  const words = help.match(/\/[a-z]+/g) ?? [];
  t.equal(words.length, 6);
  for (const word of words) t.match(print(word), /^(?!does undefined)./, word);
  t.equal(slashCommand('/cancel', place), 'cancel');
  t.equal(slashCommand('/exit', place), 'exit');
  t.equal(print('/model'), 'main\n');
  t.equal(print('/tools '), 'tsh\nfs.read\n');
  t.equal(print('/window'), 'auto\n');
  t.end();
});

t.test('a mistyped command is not sent to the model', (t) => {
  t.strictSame(slashCommand('/hlep', place), { print: '/hlep: no such command; /help lists them\n' });
  t.end();
});

t.test('paths and other text are for the agent', (t) => {
  for (const text of ['hello', '/workspace/src', '/tmp is full', '/help me', '/README', '/a.txt', '/'])
    t.equal(slashCommand(text, place), undefined, text);
  t.end();
});
