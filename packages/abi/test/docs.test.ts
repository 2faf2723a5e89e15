import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ERRNO, type ErrnoName, exitCodeOf } from '../src/errno.ts';
import { parseAgentReply } from '../src/frames/agent-reply.ts';
import { parseAgentRequest } from '../src/frames/agent-request.ts';
import { parseCapabilityRequest } from '../src/frames/capability.ts';
import { EVENT_TYPES } from '../src/frames/event.ts';
import type { JsonObject } from '../src/json.ts';
import { MAX_FRAME_BYTES } from '../src/jsonl.ts';
import { SESSION_FILES, TERMINAL_FILES } from '../src/paths/session.ts';
import { STEP_ENVIRONMENT, TERMINAL_ENVIRONMENT } from '../src/paths.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');

t.test('the table of exit codes is the code', async (t) => {
  const table = page('errors.md').split('## Exit codes')[1]!.split('## Layers')[0]!;
  const told = new Map<string, number>();
  for (const [, exit, names] of table.matchAll(/^\| (\d+) \|[^|]*\|(.*)\|$/gm)) {
    for (const [name] of names!.matchAll(/E[A-Z0-9]{2,}/g)) told.set(name, Number(exit));
  }
  for (const [name, exit] of told) t.equal(exitCodeOf(name as ErrnoName), exit, name);
  for (const name of Object.keys(ERRNO) as ErrnoName[]) {
    if (!told.has(name)) t.equal(exitCodeOf(name), 1, `${name} is not named, so it is 1`);
  }
});

t.test('every op in the tables of requests is known, and no known op is missing', async (t) => {
  const sockets = page('sockets.md');
  const opsIn = (part: string) => [...part.matchAll(/"op":"([a-z.]+)"/g)].map(([, op]) => op!);
  const agent = sockets.split('## Agent sockets')[1]!.split('Frames that answer')[0]!;
  const capability = sockets.split('## The capability socket')[1]!.split('## Hooks')[0]!;
  t.same(
    opsIn(agent),
    knownTags((frame) => parseAgentRequest(frame), 'op'),
  );
  t.same(
    opsIn(capability),
    knownTags((frame) => parseCapabilityRequest(frame, 0), 'op'),
  );
});

t.test('every type of reply and event is on the page', async (t) => {
  const sockets = page('sockets.md');
  const types = [...knownTags(parseAgentReply, 'type'), ...EVENT_TYPES];
  t.ok(types.length > 15);
  for (const type of types)
    t.ok(sockets.includes(`\`${type}\``) || sockets.includes(`"type":"${type}"`), type);
});

t.test('limits, files and variables are told as they are', async (t) => {
  t.ok(page('sockets.md').includes(`${MAX_FRAME_BYTES.toLocaleString('en')} bytes with its newline`));
  const paths = page('paths.md').replaceAll(/\s+/g, ' ');
  t.ok(paths.includes(TERMINAL_ENVIRONMENT.join(' ')));
  for (const name of STEP_ENVIRONMENT) t.ok(paths.includes(name), name);
  const sessions = page('sessions.md');
  for (const file of [...Object.values(SESSION_FILES), ...Object.values(TERMINAL_FILES)])
    t.ok(sessions.includes(file), file);
});

/** The words that a parser knows, from the hint of its refusal. */
function knownTags(parse: (frame: JsonObject) => unknown, tag: string): string[] {
  for (const word of ['nothing of the kind', 'done']) {
    try {
      parse({ [tag]: word, status: 'none' });
    } catch (error) {
      const hint = (error as { hint?: string }).hint;
      if (hint?.startsWith('known: ')) return hint.slice('known: '.length).split(' ');
    }
  }
  return [];
}
