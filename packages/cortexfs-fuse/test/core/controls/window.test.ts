import t from 'tap';
import { openStore } from '../../fixture/client.ts';

const D = 'agent/coder.d';

t.test('a window must fit the known limit of the model', async (t) => {
  const { client } = openStore(t);
  client.write(`${D}/window`, '32768\n');
  t.throws(() => client.write(`${D}/window`, '32769\n'), { code: 'EINVAL', layer: 'window' });
  t.equal(client.read(`${D}/window`), '32768\n');
});

t.test('a model that the window does not fit is refused until the window is auto', async (t) => {
  const { client } = openStore(t);
  client.write(`${D}/window`, '1000\n');
  t.throws(
    () => client.write(`${D}/model`, 'debug/echo\n'),
    { code: 'EINVAL', layer: 'window' },
    'unknown limit',
  );
  t.throws(() => client.write(`${D}/model`, 'no/such\n'), { code: 'EINVAL' });
  client.write(`${D}/model`, 'debug/script\n');
  client.write(`${D}/window`, 'auto\n');
  client.write(`${D}/model`, 'debug/echo\n');
  t.throws(() => client.write(`${D}/window`, '1\n'), { code: 'EINVAL' });
});
