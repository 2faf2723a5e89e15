import { type ModelId, parseCallId, parseObjectName } from '@cortexfs/abi/names';
import t from 'tap';
import { type CallFrame, CallQueue } from '../../../src/serve/capability/call-queue.ts';
import { modelUse } from './model-use-request.ts';

const call = (id: string): CallFrame => ({
  type: 'tool_call',
  id: parseCallId(id),
  name: parseObjectName('tsh'),
  arguments: {},
});
const model = 'p/m' as ModelId;
const answering = (id: string, reference?: string) =>
  modelUse([{ type: 'tool_result', tool_call_id: id, name: 'tsh', status: 'ok', content: 'x' }], reference);
const nextId = (queue: CallQueue, request: ReturnType<typeof answering>) => queue.next(request)?.call.id;

t.test('calls come one after the other, each for the result of the one before', async (t) => {
  const queue = new CallQueue();
  const request = modelUse('look');
  t.equal(queue.next(request), undefined, 'none is waiting at first');
  t.equal(queue.first([call('a'), call('b'), call('c')], request, model)?.id, 'a');
  t.strictSame(queue.next(answering('a')), { call: call('b'), model });
  t.equal(nextId(queue, answering('b')), 'c');
  t.equal(nextId(queue, answering('c')), undefined, 'then the model is asked again');
});

t.test('whoever asks anything else has let them go', async (t) => {
  for (const other of [modelUse('look'), answering('b'), answering('z'), answering('a', 'helper')]) {
    const queue = new CallQueue();
    queue.first([call('a'), call('b')], modelUse('look'), model);
    t.equal(queue.next(other), undefined);
    t.equal(nextId(queue, answering('a')), undefined, 'also later');
  }
});

t.test('a result is used up, and a new answer replaces what was waiting', async (t) => {
  const queue = new CallQueue();
  queue.first([call('a'), call('b'), call('c')], modelUse('look'), model);
  t.equal(nextId(queue, answering('a')), 'b');
  t.equal(nextId(queue, answering('a')), undefined, 'the same result brings nothing more');
  queue.first([call('d')], modelUse('look'), model);
  t.equal(nextId(queue, answering('d')), undefined);
  t.equal(queue.first([], modelUse('look'), model), undefined, 'an answer without calls');
});

t.test('a model cannot fill the host with calls', async (t) => {
  const queue = new CallQueue();
  const many = Array.from({ length: 1000 }, (_, at) => call(`c${at}`));
  queue.first(many, modelUse('look'), model);
  let count = 0;
  for (let id: string | undefined = 'c0'; id !== undefined; id = nextId(queue, answering(id))) count++;
  t.equal(count, 9, 'as many as a run may make, and the one that says that it is too many');
});
