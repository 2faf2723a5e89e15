import t from 'tap';
import { runningPlace } from '../place.ts';
import { Screen } from '../screen.ts';
import { Session } from '../session.ts';
import { until } from '../until.ts';

const PROMPT = 'coder/default> ';
const place = await runningPlace(t);
const session = new Session(place);
const inputs = () =>
  session
    .messages()
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (content as { text: string }[])[0]?.text);
const lastInput = () => inputs().at(-1);

t.test('a person talks, repeats, pastes, cancels and leaves', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent chat coder', 'Enter');
  await screen.shows(/^coder\/default>$/m);
  await screen.type('!say hello there', 'Enter');
  await screen.shows(/^hello there\ncoder\/default>$/m);

  await screen.type('', 'Up');
  await screen.shows(/coder\/default> !say hello there$/);
  await screen.type(' again', 'Enter');
  await screen.shows(/^hello there again\ncoder\/default>$/m);

  await screen.type('!say 你好，世界', 'BSpace', 'Enter');
  await screen.shows(/^你好，世\ncoder\/default>$/m);
  t.equal(lastInput(), '!say 你好，世');

  await screen.paste('!say one\n!say two');
  await screen.shows(/!say one.!say two$/);
  await screen.type('', 'Enter');
  await screen.shows(/^two\ncoder\/default>$/m);
  t.equal(lastInput(), '!say one\n!say two', 'one message with its line break');

  await screen.type('!call fs.list {"path":"/workspace"}', 'Enter');
  await screen.shows(/^\[\]\ncoder\/default>$/m);
  await screen.type('!fail EACCES', 'Enter');
  await screen.shows(/^EACCES: .*\ncoder\/default>$/m);

  await screen.type('!sleep 60000', 'Enter');
  await screen.shows(/\d s {2}thinking/);
  await screen.type('', 'C-c');
  await screen.shows(/^cancelled\ncoder\/default>$/m);
  t.match(session.lastRun().at(-1), { type: 'done', status: 'cancelled' });

  await screen.type('/session', 'Enter');
  await screen.shows(/^coder\/default\ncoder\/default>$/m);
  await screen.type('half a line', 'C-c');
  await screen.shows(/^coder\/default> half a line\^C\ncoder\/default>$/m);
  await screen.type('', 'C-c');
  await screen.shows(/\n\$$/);
  await screen.type('echo "code $?"', 'Enter');
  await screen.shows(/^code 0$/m);
});

t.test('the next chat knows what was typed in the last', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent chat coder', 'Enter');
  await screen.shows(/^coder\/default>$/m);
  await screen.type('', 'Up', 'Up');
  await screen.shows(/coder\/default> !fail EACCES$/);
  await screen.type('', 'C-u', 'C-d');
  await screen.shows(/\n\$$/);
});

t.test('/cancel ends a run that somebody else started', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent chat coder', 'Enter');
  await screen.shows(/^coder\/default>$/m);
  await screen.type('/cancel', 'Enter');
  await screen.shows(/^no run is active\ncoder\/default>$/m);
  const before = session.events().length;
  const other = place.ctx(['agent', 'send', 'coder', '!sleep 60000']);
  await until('its run', () =>
    session
      .events()
      .slice(before)
      .some(({ type }) => type === 'start'),
  );
  await screen.type('/cancel', 'Enter');
  await screen.shows(/^cancelled [0-9A-Z]{26}\ncoder\/default>$/m);
  t.equal((await other).code, 130);
  t.match(session.lastRun().at(-1), { type: 'done', status: 'cancelled' });
});

t.test('commands work while a run is active; other lines are the next input', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent chat coder', 'Enter');
  await screen.shows(/^coder\/default>$/m);
  await screen.type('!sleep 60000', 'Enter');
  await screen.shows(/\d s {2}thinking/);
  await screen.type('/model', 'Enter');
  await screen.shows(/^main$/m);
  await screen.type('/nonsense', 'Enter');
  await screen.shows(/^\/nonsense: no such command/m);
  await screen.type('!say afterwards', 'Enter');
  await screen.type('/cancel', 'Enter');
  await screen.shows(/^cancelled$[\s\S]*^afterwards\ncoder\/default>$/m);
  t.match(
    session
      .events()
      .filter(({ type }) => type === 'done')
      .slice(-2),
    [{ status: 'cancelled' }, { status: 'ok' }],
  );

  await screen.type('', 'C-l');
  await screen.shows(/^coder\/default>$/);
  await screen.type('!sleep 60000', 'Enter');
  await screen.shows(/\d s {2}thinking/);
  await screen.type('/exit', 'Enter');
  await screen.shows(/\n\$$/);
  await screen.type('echo "code $?"', 'Enter');
  await screen.shows(/^code 0$/m);
  t.not(session.lastRun().at(-1)?.type, 'done', 'the run goes on');
  await place.must(t, ['agent', 'cancel', 'coder']);
  await until('its end', () => session.lastRun().at(-1)?.type === 'done');
});

t.test('what is typed ahead is not lost', async (t) => {
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent chat coder', 'Enter');
  await screen.shows(/^coder\/default>$/m);
  await screen.type('!say first\r!say second\r!say third\r');
  await screen.shows(/^first$[\s\S]*^second$[\s\S]*^third\ncoder\/default>$/m);
  await screen.type('', 'C-c');
});

t.test('an approval is asked for and given', async (t) => {
  await place.must(t, ['set', 'agent/coder.d/approval', 'ask']);
  const screen = await Screen.open(t, place);
  await screen.type('ctx agent chat coder', 'Enter');
  await screen.shows(/^coder\/default>$/m);
  for (const [answer, result] of [
    ['y', /^\[\]\ncoder\/default>$/m],
    ['', /the call was denied\ncoder\/default>$/],
  ] as const) {
    await screen.type('!call fs.list {"path":"/workspace"}', 'Enter');
    t.match(
      await screen.shows(/\[y\/N\]$/),
      /allow this call\?\n {2}fs\.list \{"path":"\/workspace"\}\n {2}in \/workspace\n/,
    );
    await screen.type(answer, 'Enter');
    await screen.shows(result);
    await screen.type('', 'C-l');
  }
  await place.must(t, ['set', 'agent/coder.d/approval', 'auto']);
});

t.test('lines from a pipe are messages', async (t) => {
  const { code, out, err } = await place.ctx(['agent', 'chat', 'coder'], {
    input: '!say first\n\n!say 第二\n',
  });
  t.strictSame([code, err], [0, '']);
  t.equal(out.replaceAll(PROMPT, ''), 'first\n第二\n');
});
