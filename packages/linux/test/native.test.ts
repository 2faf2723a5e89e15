import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { codeOf, systemCall, systemError } from '../src/native.ts';

t.test('a failed call throws as Node’s own functions do', (t) => {
  const close = systemCall('close', 'int close(int fd)');
  t.throws(() => close(-1), { code: 'EBADF', errno: -9, syscall: 'close', message: 'EBADF: close failed' });
  t.match(systemError('open', 2), { code: 'ENOENT', errno: -2, syscall: 'open' });
  t.end();
});

t.test('the result of a call that worked is returned', (t) => {
  t.equal(systemCall('getpid', 'int getpid()')(), process.pid);
  t.equal(systemCall('getpid', 'int getpid()')(), process.pid, 'bound twice');
  t.end();
});

t.test('binding waits for the first call', (t) => {
  const missing = systemCall('no_such_function', 'int no_such_function()');
  t.throws(missing, /no_such_function/);
  t.end();
});

t.test('the code of anything thrown', (t) => {
  t.equal(codeOf(systemError('x', 13)), 'EACCES');
  for (const thrown of [undefined, null, new Error('x'), 'text']) t.equal(codeOf(thrown), undefined);
  t.end();
});

t.test('an add-on that cannot be loaded is an error that says what to do', async (t) => {
  const dir = realpathSync(t.testdir());
  cpSync('src', join(dir, 'src'), { recursive: true });
  mkdirSync(join(dir, 'node_modules/@cortexfs'), { recursive: true });
  symlinkSync(realpathSync('node_modules/@cortexfs/abi'), join(dir, 'node_modules/@cortexfs/abi'));
  mkdirSync(join(dir, 'node_modules/koffi'));
  writeFileSync(join(dir, 'node_modules/koffi/index.js'), 'throw new Error("built for another machine")');
  const { href } = pathToFileURL(join(dir, 'src/native.ts'));
  const call = `import { systemCall } from ${JSON.stringify(href)};
    try { systemCall('getpid', 'int getpid()')(); } catch (error) { console.log(JSON.stringify(error)); }`;
  const { stdout } = spawnSync(process.execPath, [
    '--import',
    import.meta.resolve('tsx'),
    '--input-type=module',
    '-e',
    call,
  ]);
  t.match(JSON.parse(String(stdout)), { code: 'ENOSYS', layer: 'runtime', hint: /install/ });
});
