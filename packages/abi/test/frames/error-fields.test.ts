import t from 'tap';
import { CortexError } from '../../src/errors.ts';
import { parseAgentReply } from '../../src/frames/agent-reply.ts';
import { errorFields } from '../../src/frames/error-fields.ts';

t.test('an error becomes the fields of its frame, and only those it has', async (t) => {
  t.same(errorFields(new CortexError('EIO', 'x', { line: 3 })), { code: 'EIO', message: 'x' });
  const full = new CortexError('EACCES', 'no', {
    path: 'tool/x',
    layer: 'tool-policy',
    hint: 'ask',
    cause: new Error('secret'),
  });
  t.same(errorFields(full), {
    code: 'EACCES',
    message: 'no',
    path: 'tool/x',
    layer: 'tool-policy',
    hint: 'ask',
  });
  t.same(parseAgentReply({ type: 'error', ...errorFields(full) }), { type: 'error', ...errorFields(full) });
});
