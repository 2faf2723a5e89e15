import fc from 'fast-check';
import t from 'tap';
import { parseObjectName, parseSessionName } from '../src/names.ts';
import { runtimeTree } from '../src/paths.ts';
import { agentUnit, terminalUnit } from '../src/unit.ts';

t.test('units are named after the agent and the session', async (t) => {
  const coder = parseObjectName('coder');
  t.equal(agentUnit(coder), 'cortexfs-agent-coder.service');
  t.equal(terminalUnit(coder, parseSessionName('default')), 'cortexfs-terminal-coder-default.service');
  t.equal(agentUnit(parseObjectName('c++-x')), 'cortexfs-agent-c\\x2b\\x2b-x.service');
  t.equal(
    terminalUnit(parseObjectName('a-b'), parseSessionName('c-d')),
    'cortexfs-terminal-a\\x2db-c-d.service',
  );
});

const word = fc
  .array(fc.constantFrom('a', '-', '.', '_', '+', '0'), { maxLength: 6 })
  .map((chars) => `a${chars.join('')}`);

t.test('no two terminals have the same unit or log, and systemd takes the names', async () => {
  fc.assert(
    fc.property(word, word, word, word, (agent, session, other, otherSession) => {
      const one = [parseObjectName(agent), parseSessionName(session)] as const;
      const two = [parseObjectName(other), parseSessionName(otherSession)] as const;
      const same = agent === other && session === otherSession;
      const unit = terminalUnit(...one);
      const { terminalLog } = runtimeTree('/run');
      return (
        /^[A-Za-z0-9:_.\\-]+$/.test(unit) &&
        (unit === terminalUnit(...two)) === same &&
        (terminalLog(...one) === terminalLog(...two)) === same
      );
    }),
  );
});
