import t from 'tap';
import { HISTORY_BYTES, History } from '../../src/output/history.ts';

const piece = (seq: number, size: number) => ({ seq, bytes: Buffer.alloc(size), introducer: '', state: 0 });

t.test('what came after a number is given while all of it is still there', async (t) => {
  const history = new History(10);
  history.add(piece(11, 5));
  history.add(piece(14, 5));
  t.same(
    history.after(10)?.map(({ seq }) => seq),
    [11, 14],
  );
  t.same(
    history.after(11)?.map(({ seq }) => seq),
    [14],
  );
  t.same(history.after(99), []);
  t.equal(history.after(9), undefined);
});

t.test('it forgets the oldest beyond 1 MiB, and says so', async (t) => {
  const history = new History(0);
  for (let seq = 1; seq <= 5; seq++) history.add(piece(seq, HISTORY_BYTES / 4));
  t.equal(history.after(0), undefined);
  t.same(
    history.after(1)?.map(({ seq }) => seq),
    [2, 3, 4, 5],
  );
});
