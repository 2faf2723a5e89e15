import t from 'tap';
import { codecOfPath, refusalOf } from '../../src/place/control-path.ts';

t.test(
  'a control has its codec, another file of the directory is refused, other paths have none',
  async (t) => {
    t.equal(codecOfPath('agent/coder.d/life')?.parse('owned\n'), 'owned');
    t.throws(() => codecOfPath('agent/coder.d/nope'), { code: 'ENOENT', layer: 'control' });
    t.equal(codecOfPath('shared/notes'), undefined);
  },
);

t.test('a refused write is explained by what the path names', async (t) => {
  for (const [path, message] of [
    ['agent/coder.d/status', /shows the state of the runtime/],
    ['agent/coder.d/uid', /only uid 0/],
    ['agent/coder', /not a control/],
    ['model/debug/echo', /not a control/],
    ['home/1000/tool/mine', /not a control/],
  ] as const)
    t.match(refusalOf(path), { message }, path);
  t.equal(refusalOf('agent/coder')?.hint, 'ctx ls agent/coder.d lists the controls');
  for (const path of ['agent/coder.d/life', 'status', 'shared/notes', 'home/1000'])
    t.equal(refusalOf(path), undefined, path);
});
