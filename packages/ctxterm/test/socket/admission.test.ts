import t from 'tap';
import { mapsRoot, mayConnect } from '../../src/socket/admission.ts';

const host = { uid: 1000, rootIsMapped: true, overflowUid: 65534, socketIsPrivate: true };

t.test('the owner and uid 0 are let in, nobody else', async (t) => {
  t.equal(mayConnect(1000, host), true);
  t.equal(mayConnect(0, host), true);
  t.equal(mayConnect(1001, host), false);
  t.equal(mayConnect(65534, host), false, 'nobody is somebody where uid 0 has its number');
});

t.test(
  'in a user namespace without uid 0 root outside is the overflow uid, while the socket is private',
  async (t) => {
    const inside = { ...host, rootIsMapped: false };
    t.equal(mayConnect(65534, inside), true);
    t.equal(mayConnect(65534, { ...inside, socketIsPrivate: false }), false);
    t.equal(mayConnect(0, inside), false);
    t.equal(mayConnect(1001, inside), false);
  },
);

t.test('the uid map tells whether uid 0 is known', async (t) => {
  t.equal(mapsRoot('         0          0 4294967295\n'), true);
  t.equal(mapsRoot('      1000       1000          1\n'), false);
  t.equal(mapsRoot('         0       1000          1\n'), true);
  t.equal(mapsRoot('        10          0          1\n'), false);
});
