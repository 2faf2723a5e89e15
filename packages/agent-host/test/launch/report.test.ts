import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CortexError } from '@cortexfs/abi/errors';
import t from 'tap';
import { closeReport, reportError, takeReport } from '../../src/launch/report.ts';

t.test(
  'an error is reported in a file that only its owner reads, until the role has published itself',
  (t) => {
    const file = join(t.testdir({}), 'report');
    takeReport({ file });
    reportError(new CortexError('EACCES', 'no', { path: 'agent/coder', layer: 'sandbox' }));
    t.match(JSON.parse(readFileSync(file, 'utf8')), { error: { code: 'EACCES', message: /no/ } });
    t.equal(statSync(file).mode & 0o777, 0o600);
    closeReport();
    reportError(new CortexError('EIO', 'later'));
    t.notMatch(readFileSync(file, 'utf8'), /later/);
    t.end();
  },
);

t.test('no link is followed, and nobody to report to is no error', (t) => {
  const folder = t.testdir({ elsewhere: 'kept' });
  symlinkSync('elsewhere', join(folder, 'report'));
  takeReport({ file: join(folder, 'report') });
  reportError(new CortexError('EIO', 'lost'));
  t.equal(readFileSync(join(folder, 'elsewhere'), 'utf8'), 'kept');
  closeReport();
  t.throws(() => takeReport({ fd: '1' }), { code: 'EINVAL' });
  t.end();
});
