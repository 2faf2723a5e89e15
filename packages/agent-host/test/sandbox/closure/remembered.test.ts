import t from 'tap';
import { BELIEVED_MS, remembered } from '../../../src/sandbox/closure/remembered.ts';

t.test('an answer is believed for a while, for its own key', (t) => {
  let time = 0;
  const asked: string[] = [];
  const find = remembered(
    (key) => `${key}${asked.push(key)}`,
    () => time,
  );
  t.equal(find('a'), 'a1');
  t.equal(find('b'), 'b2');
  time = BELIEVED_MS - 1;
  t.equal(find('a'), 'a1');
  time = BELIEVED_MS;
  t.equal(find('a'), 'a3', 'then it is asked again');
  t.end();
});

t.test('a failure is not remembered', (t) => {
  let broken = true;
  const find = remembered((key) => {
    if (broken) throw new Error('not yet');
    return key;
  });
  t.throws(() => find('a'), /not yet/);
  broken = false;
  t.equal(find('a'), 'a');
  t.end();
});
