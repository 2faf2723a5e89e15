import { isObjectName, parseObjectName } from '@cortexfs/abi/names';
import fc from 'fast-check';
import t from 'tap';
import { closestName, ToolNames } from '../../src/network/tool-names.ts';

const offer = (...names: string[]) => ({
  messages: [],
  tools: names.map((name) => ({ name: parseObjectName(name), description: '', schema: {} })),
});

t.test('dots become underscores, and what would be the same gets a number', async (t) => {
  const names = new ToolNames(offer('fs.read', 'fs_read', 'fs+read', 'tsh'));
  const wires = ['fs.read', 'fs_read', 'fs+read', 'tsh'].map((name) => names.wire(parseObjectName(name)));
  t.strictSame(wires, ['fs_read', 'fs_read_2', 'fs_read_3', 'tsh']);
  t.strictSame(
    wires.map((wire) => names.own(wire)),
    ['fs.read', 'fs_read', 'fs+read', 'tsh'],
  );
});

t.test('a name from nowhere is itself when it can be one, else the closest that can', async (t) => {
  const names = new ToolNames(offer('tsh'));
  t.equal(names.own('fs.write'), 'fs.write');
  t.equal(names.own('no such tool!'), undefined);
  t.equal(closestName('functions:fs read'), 'functions_fs_read');
  t.equal(closestName('…'), 'unknown');
});

t.test('tools of the conversation that are not offered have names too', async (t) => {
  const call = {
    type: 'tool_call',
    id: 'c' as never,
    name: parseObjectName('old.tool'),
    arguments: {},
  } as const;
  const names = new ToolNames({ messages: [{ role: 'assistant', content: [call] }] });
  t.equal(names.own('old_tool'), 'old.tool');
  t.strictSame(names.tools({ messages: [] }), {}, 'no tools: no word of them');
});

t.test('every set of names travels unharmed', async () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,63}$/).filter(isObjectName);
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 30 }), fc.string(), (list, wild) => {
      const names = new ToolNames(offer(...list));
      const wires = list.map((one) => names.wire(parseObjectName(one)));
      if (new Set(wires).size !== wires.length) return false;
      const whole = wires.every((wire) => /^[a-zA-Z0-9_-]{1,64}$/.test(wire));
      return (
        whole && wires.every((wire, at) => names.own(wire) === list[at]) && isObjectName(closestName(wild))
      );
    }),
  );
});
