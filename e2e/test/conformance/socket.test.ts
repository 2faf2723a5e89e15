import { appendFileSync } from 'node:fs';
import t from 'tap';
import { controlRules } from '../../conformance/control.ts';
import { frameRules } from '../../conformance/frames.ts';
import { lifeRules } from '../../conformance/life.ts';
import { SESSIONS, sceneAt } from '../../conformance/place.ts';
import { runRules } from '../../conformance/runs.ts';
import { runningPlace } from '../../place.ts';
import { Session } from '../../session.ts';

const place = await runningPlace(t);
const scene = sceneAt(place);
const policy = `${place.store}/agent/coder.d/policy`;
for (const session of SESSIONS)
  for (const permission of ['read', 'write', 'resume'])
    appendFileSync(policy, `allow coder_t session:${session} ${permission}\n`);

for (const [rule, holds] of [...frameRules, ...runRules, ...controlRules])
  await t.test(rule, (t) => holds(t, scene));

t.test(
  'stop by the owner is answered with ok; after a new start a retried id replays, and nothing runs',
  async (t) => {
    const before = new Session(place, 'coder', 'whole').read('events.jsonl');
    const client = scene.open(t);
    t.match(await client.send({ op: 'stop' }).next(), { type: 'ok', op: 'stop' });
    await client.ended();
    await place.must(t, ['agent', 'start', 'coder', '--workspace', place.workspace]);
    const again = scene.open(t);
    const input = '!call fs.list {"path":"/workspace"}\n!say that is all';
    await again.send({ op: 'send', id: 'whole', session: 'whole', input }).run('whole');
    t.equal(`${again.lines.join('\n')}\n`, before);
    t.match(await again.send({ op: 'send', id: 'whole', session: 'whole', input: 'other' }).next(), {});
    t.match(await again.frame(({ type }) => type === 'error'), { code: 'EINVAL', request_id: 'whole' });
  },
);

for (const [rule, holds] of lifeRules) t.test(rule, (t) => holds(t, scene));
