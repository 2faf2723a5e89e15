import t from 'tap';
import { cap } from '../../src/controls/model/cap.ts';
import { defaults } from '../../src/controls/model/default.ts';
import { driver } from '../../src/controls/model/driver.ts';
import { effort } from '../../src/controls/model/effort.ts';
import { fallback } from '../../src/controls/model/fallback.ts';
import { id } from '../../src/controls/model/id.ts';
import { limit } from '../../src/controls/model/limit.ts';
import { session } from '../../src/controls/model/session.ts';
import { formatModelName, parseModelName } from '../../src/names.ts';
import { canonical, refused } from './expectations.ts';

t.test('id: any one line', async (t) => {
  canonical(t, id, [
    ['openai/gpt-5.6\n', 'openai/gpt-5.6'],
    ['models/x:latest @2\n', 'models/x:latest @2'],
  ]);
  refused(t, id, [
    ['', 'is empty'],
    ['a\nb\n', 'one line'],
    ['a\x1b\n', 'control character', 1],
  ]);
});

t.test('driver: a name, or a table by use', async (t) => {
  canonical(t, driver, [
    ['debug\n', { default: ['debug'] }],
    ['default=openai-chat,debug\n', { default: ['openai-chat', 'debug'] }],
    [
      'default=openai-responses\nexec=openai-chat\nagent=openai-responses,openai-chat\n',
      { default: ['openai-responses'], exec: ['openai-chat'], agent: ['openai-responses', 'openai-chat'] },
    ],
  ]);
  t.equal(
    driver.format(driver.parse('agent=google\nexec=google\ndefault=debug')),
    'default=debug\nexec=google\nagent=google\n',
    'the order of the lines does not matter',
  );
  t.same(driver.parse('default=google\n'), { default: ['google'] }, 'a table of one name is that name');
  refused(t, driver, [
    ['', 'is empty'],
    ['ollama\n', 'must be debug, openai-chat'],
    ['debug\ngoogle\n', 'one line'],
    ['exec=debug\n', 'must have a line default='],
    ['default=debug,debug\n', 'repeats "debug"', 1],
    ['default=\n', 'got ""', 1],
    ['default=debug, google\n', 'got " google"', 1],
    ['default=debug\nother=debug\n', 'bad key "other"', 2],
    ['default=debug\ndefault=google\n', 'repeats the key', 2],
  ]);
});

t.test('cap: known words only', async (t) => {
  canonical(t, cap, [
    ['', []],
    ['chat\nstream\ntool_call_syntax\n', ['chat', 'stream', 'tool_call_syntax']],
  ]);
  refused(t, cap, [
    ['chat\ngpt\n', 'must be chat, stream', 2],
    ['chat\nchat\n', 'repeats', 2],
  ]);
});

t.test('effort, session and limit', async (t) => {
  canonical(t, effort, [
    ['auto\n', 'auto'],
    ['xhigh\n', 'xhigh'],
  ]);
  canonical(t, session, [
    ['none\n', 'none'],
    ['socket\n', 'socket'],
  ]);
  canonical(t, limit, [
    ['unknown\n', 'unknown'],
    ['4294967295\n', 4_294_967_295],
  ]);
  refused(t, effort, [['max\n', 'must be auto, low, medium, high or xhigh']]);
  refused(t, session, [['stream\n', 'must be none or socket']]);
  refused(t, limit, [
    ['0\n', 'limit must be a decimal number from 1 to 4294967295'],
    ['4294967296\n', 'decimal number'],
    ['Unknown\n', 'decimal number'],
  ]);
});

t.test('default: parameters', async (t) => {
  canonical(t, defaults, [
    [
      'temperature=0.2\nmax_tokens=1024\n',
      new Map([
        ['temperature', '0.2'],
        ['max_tokens', '1024'],
      ]),
    ],
  ]);
  refused(t, defaults, [
    ['Temperature=1\n', 'bad key', 1],
    ['a=1\na=2\n', 'repeats the key', 2],
  ]);
});

t.test('fallback: models in order', async (t) => {
  const ids = ['openai/gpt-5.6', 'debug/echo'].map((text) => formatModelName(parseModelName(text)));
  canonical(t, fallback, [
    ['', []],
    ['openai/gpt-5.6\ndebug/echo\n', ids],
  ]);
  refused(t, fallback, [
    ['openai/gpt-5.6\nmain\n', 'expected provider/model', 2],
    ['a/b\na/b\n', 'repeats "a/b"', 2],
  ]);
});
