import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CortexError } from '@cortexfs/abi/errors';
import t from 'tap';
import type { Addon, NativeHandler } from '../../../src/transport/native/addon.ts';
import { handlersFor, operations } from '../../../src/transport/native/handlers.ts';
import { owner } from '../../../src/transport/native/owner.ts';
import { PathFileSystem } from '../../../src/transport/native/path-file-system.ts';
import { MemoryFileSystem } from '../kernel/support/memory-file-system.ts';

interface Answered {
  readonly name: string;
  readonly result: number;
  readonly payload: unknown[];
}

/** The add-on's side: hands requests to the handlers by number and keeps what they answer. */
function make(memory = new MemoryFileSystem()) {
  const files = new PathFileSystem(memory, owner());
  const names = Object.keys(operations(files, () => {}));
  const answers: Answered[] = [];
  const addon: Record<string, unknown> = { sizeof_fuse_thread_t: 8 };
  names.forEach((name, index) => {
    addon[`op_${name}`] = index;
    addon[`fuse_native_signal_${name}`] = (_: Buffer, result: number, ...payload: unknown[]) =>
      answers.push({ name, result, payload });
  });
  const log: string[] = [];
  let ready = 0;
  const { handlers, implemented } = handlersFor(addon as unknown as Addon, files, {
    onReady: () => ready++,
    log: (line) => log.push(line),
  });
  const call = (name: string, ...args: unknown[]): Answered => {
    const index = names.indexOf(name);
    const before = answers.length;
    (handlers[index] as NativeHandler)(Buffer.alloc(200), index, ...args);
    if (answers.length > before + 1) throw new Error(`${name} was answered twice`);
    return answers[before] as Answered;
  };
  return { memory, names, answers, call, log, implemented, isReady: () => ready };
}

t.test('each operation has its number, and init says that the mount answers', async (t) => {
  const { call, isReady, implemented, names } = make();
  t.strictSame(call('init'), { name: 'init', result: 0, payload: [] });
  t.equal(isReady(), 1);
  t.equal(
    implemented.reduce((sum, one) => sum + one),
    names.length,
  );
});

t.test('a build that lacks an operation is refused', async (t) => {
  const files = new PathFileSystem(new MemoryFileSystem(), owner());
  const options = { onReady: () => {}, log: () => {} };
  t.throws(() => handlersFor({} as Addon, files, options), { code: 'ENOTSUP' });
});

t.test('a file from create to unlink', async (t) => {
  const { call } = make();
  const file = call('create', '/f', 0o644).payload[0];
  t.equal(file, 1);
  const data = Buffer.from('hello');
  t.strictSame(call('write', '/f', file, data, 5, 0, 0), {
    name: 'write',
    result: 5,
    payload: [5, data.buffer],
  });
  const target = Buffer.alloc(64);
  const read = call('read', '/f', file, target, 64, 1, 0);
  t.equal(read.result, 4);
  t.equal(read.payload[1], target.buffer, 'the lent buffer goes back');
  t.equal(target.toString('utf8', 0, 4), 'ello');
  t.equal(call('ftruncate', '/f', file, 2, 0).result, 0);
  t.equal((call('fgetattr', '/f', file).payload[0] as Uint32Array)[3], 2);
  for (const name of ['flush', 'release']) t.equal(call(name, '/f', file).result, 0);
  t.strictSame(call('chown', '/f', 0xffff_ffff, 0xffff_ffff).result, 0);
  const request = (call('readdir', '/').payload as [string[], Uint32Array[]])[0];
  t.strictSame(request, ['.', '..', 'whoami', 'f']);
  t.equal(call('unlink', '/f').result, 0);
  t.equal(call('getattr', '/f').result, -2);
});

t.test('fsync of a real file is answered when it is done', async (t) => {
  const real = join(t.testdir({ real: 'x' }), 'real');
  const { call, answers } = make(new MemoryFileSystem({ backed: { real } }));
  const file = call('open', '/real', 2).payload[0];
  const before = answers.length;
  call('fsync', '/real', 0, file);
  while (answers.length === before) await setImmediate();
  t.match(answers[before], { name: 'fsync', result: 0 });
  t.equal(call('fsync', '/real', 0, 99).result, -9);
});

t.test('attribute values that do not fit are ERANGE; an empty buffer asks for the length', async (t) => {
  const { call } = make();
  call('setxattr', '/whoami', 'user.a', Buffer.from('value'), 0, 0);
  t.equal(call('getxattr', '/whoami', 'user.a', Buffer.alloc(0), 0).result, 5);
  t.equal(call('getxattr', '/whoami', 'user.a', Buffer.alloc(4), 0).result, -34);
  const target = Buffer.alloc(5);
  t.equal(call('getxattr', '/whoami', 'user.a', target, 0).result, 5);
  t.equal(target.toString(), 'value');
  t.equal(call('listxattr', '/whoami', Buffer.alloc(3)).result, -34);
});

t.test('whatever a file system throws is an errno, with all that the add-on then needs', async (t) => {
  for (const thrown of [new CortexError('EROFS', 'no'), new TypeError('a fault'), 'text', undefined]) {
    const memory = new MemoryFileSystem();
    for (const name of Object.getOwnPropertyNames(MemoryFileSystem.prototype))
      if (name !== 'constructor')
        Object.assign(memory, {
          [name]: () => {
            throw thrown;
          },
        });
    const { names, call, log } = make(memory);
    const buffer = Buffer.alloc(8);
    const args: Record<string, unknown[]> = {
      utimens: ['/f', 0, 0, 0, 0],
      read: ['/f', 1, buffer, 8, 0, 0],
      write: ['/f', 1, buffer, 8, 0, 0],
      setxattr: ['/f', 'user.a', buffer, 0, 0],
      getxattr: ['/f', 'user.a', buffer, 0],
      listxattr: ['/f', buffer],
    };
    for (const name of names) {
      if (name === 'init' || name === 'release') continue;
      const { result, payload } = call(name, ...(args[name] ?? ['/f', '/f', 1, 0, 0]));
      t.ok(result < 0, `${name} fails`);
      if (args[name]?.includes(buffer))
        t.equal(payload.at(-1), buffer.buffer, `${name} gives the buffer back`);
    }
    t.equal(log.length > 0, !(thrown instanceof CortexError), 'faults are logged, errors are not');
  }
});
