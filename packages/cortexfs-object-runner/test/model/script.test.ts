import type { ModelMessage } from '@cortexfs/abi/model-io';
import t from 'tap';
import { greeting } from '../../src/model/script/greeting.ts';
import { model } from '../../src/model/script.ts';
import { answer, final, streamed } from './answer.ts';

function user(content: string): ModelMessage {
  return { role: 'user', content };
}

function result(content: string): ModelMessage {
  return { role: 'tool', content };
}

t.test('a plain message is answered with what it is and can do', async (t) => {
  const events = await answer(model, user('hi'));
  t.equal(final(events), greeting);
  t.equal(streamed(events), greeting);
  t.match(greeting, /not an AI/);
  t.match(model.usage, /not an AI/);
});

t.test('a call ends the inference and has an id of its own each time', async (t) => {
  const script = user('!say first\n!call fs.list {"path":"/"}\n!call fs.stat {"path":"x"}');
  const one = await answer(model, script);
  t.equal(streamed(one), 'first');
  t.same(one.at(-1), { type: 'tool_call', id: 'call-1', name: 'fs.list', arguments: { path: '/' } });
  t.same(await answer(model, script, result('a')), [
    { type: 'tool_call', id: 'call-2', name: 'fs.stat', arguments: { path: 'x' } },
  ]);
});

t.test('it ends by repeating the last result', async (t) => {
  const script = user('!call a\n!say done');
  const events = await answer(model, script, result('seen'));
  t.equal(final(events), 'done\nseen');
  t.equal(streamed(events), 'done\nseen');
  t.equal(final(await answer(model, user('!call a'), result('seen'))), 'seen');
});

t.test('a script that only speaks ends with what it said', async (t) => {
  t.equal(final(await answer(model, user('!say a\n!say b'))), 'a\nb');
  t.equal(final(await answer(model, user('!sleep 0'))), '');
});

t.test('!fail is the error it names', async (t) => {
  await t.rejects(answer(model, user('!fail EHOSTDOWN')), { code: 'EHOSTDOWN', layer: 'model' });
  const events = await answer(model, user('!call a\n!fail EACCES'));
  t.match(events, [{ type: 'tool_call' }], 'not before the call has its result');
});

t.test('a fault anywhere in the script is found before anything happens', async (t) => {
  await t.rejects(answer(model, user('!call a\n!nonsense')), { code: 'EINVAL', message: /line 2/ });
});

t.test('!sleep waits', async (t) => {
  const start = performance.now();
  await answer(model, user('!sleep 60'));
  t.ok(performance.now() - start >= 59);
});

t.test('the same conversation always gives the same answer', async (t) => {
  const conversation = [user('!tsh tools\n!say x'), result('y')];
  t.same(await answer(model, ...conversation), await answer(model, ...conversation));
});
