import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { capabilityHost } from './asking-host.ts';

const allow = (...rules: string[]) => rules.map((rule) => `allow coder_t ${rule}\n`).join('');

t.test('the fallback of a model', async (t) => {
  const { host, client, ask } = await capabilityHost(t, { model: 'debug/a\n' });
  const { site } = host;
  const limits = { a: '4000', b: 'unknown', c: '1000', d: '8000' };
  for (const [model, limit] of Object.entries(limits)) {
    site.write(`store/model/debug/${model}`, '');
    chmodSync(join(site.store, `model/debug/${model}`), 0o755);
    site.write(`root/model/debug/${model}.d/limit`, `${limit}\n`);
  }
  const common = ['mount:workspace read', 'session:default write'];
  const may = (...models: string[]) =>
    site.write(
      'store/agent/coder.d/policy',
      allow(...common, ...models.map((model) => `model:debug/${model} use`)),
    );
  const falls = (...models: string[]) =>
    site.write('store/model/debug/a.d/fallback', models.map((model) => `debug/${model}\n`).join(''));
  let count = 0;
  /** The frames of one model.use, and which candidates the run's history tells of as passed over. */
  const use = async (content: string, expect: number) => {
    const seen = client.frames.length;
    const messages = [{ role: 'user', content }];
    const replies = await ask({ frame: { op: 'model.use', request_id: `r${count++}`, messages }, expect });
    const passed = client.frames.slice(seen).filter(({ type }) => type === 'model.refused');
    return {
      replies,
      types: replies.map(({ type }) => type),
      passed: passed.map(({ model, code }) => `${model} ${code}`),
    };
  };
  may('a', 'b', 'c', 'd');
  falls('b', 'c', 'd');

  await t.test('the first model answers: nobody else is asked', async (t) => {
    t.match(await use('only debug/a', 4), { types: ['start', 'usage', 'message', 'done'], passed: [] });
  });

  await t.test('they are tried in order, and only the frames of the one that answers are seen', async (t) => {
    const { replies, types, passed } = await use('only debug/c', 4);
    t.strictSame(types, ['start', 'usage', 'message', 'done']);
    t.match(replies[0], { model: 'debug/c' });
    t.strictSame(passed, ['debug/a EHOSTDOWN', 'debug/b EHOSTDOWN']);
  });

  await t.test('after the first word there is no way back', async (t) => {
    const { types, replies, passed } = await use('only debug/a halfway', 5);
    t.strictSame(types, ['start', 'usage', 'delta', 'error', 'done']);
    t.match(replies[3], { code: 'EHOSTDOWN', message: 'debug/a is down' });
    t.strictSame(passed, []);
  });

  await t.test('when none answers, the error is the first one, and every candidate is told of', async (t) => {
    const { replies, passed } = await use('only debug/none', 2);
    t.match(replies, [
      { type: 'error', code: 'EHOSTDOWN', message: 'debug/a is down' },
      { type: 'done', status: 'error' },
    ]);
    t.strictSame(
      passed,
      ['a', 'b', 'c', 'd'].map((model) => `debug/${model} EHOSTDOWN`),
    );
  });

  await t.test('each candidate passes policy anew; a refusal is told, and the next is tried', async (t) => {
    may('a', 'd');
    const { replies, passed } = await use('only debug/d', 4);
    t.match(replies[0], { model: 'debug/d' });
    t.strictSame(passed, ['debug/a EHOSTDOWN', 'debug/b EACCES', 'debug/c EACCES']);
  });

  await t.test('one that may not be used at all is no failure to fall back from', async (t) => {
    may('b', 'c', 'd');
    t.match(await use('only debug/b', 2), { replies: [{ code: 'EACCES' }, { type: 'done' }], passed: [] });
    may('a', 'b', 'c', 'd');
  });

  await t.test(
    'an explicit window leaves out candidates with a lower or unknown limit; nothing is changed for them',
    async (t) => {
      site.write('store/agent/coder.d/window', '2000\n');
      const { replies, passed } = await use('only debug/d', 4);
      t.match(replies[0], { model: 'debug/d' });
      t.strictSame(passed, ['debug/a EHOSTDOWN', 'debug/b EINVAL', 'debug/c EINVAL']);
      site.write('store/agent/coder.d/window', 'auto\n');
    },
  );

  await t.test(
    'with auto the limit of each candidate holds, measured on the messages as they are',
    async (t) => {
      // 1000 tokens leave 3000 characters: too few for what model a, with 4000 tokens, can take.
      const { replies, passed } = await use(`only debug/none${' '.repeat(4000)}`, 2);
      t.match(replies[0], { code: 'EHOSTDOWN' });
      t.strictSame(passed, [
        'debug/a EHOSTDOWN',
        'debug/b EHOSTDOWN',
        'debug/c EMSGSIZE',
        'debug/d EHOSTDOWN',
      ]);
    },
  );
});
