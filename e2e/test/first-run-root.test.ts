import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import t from 'tap';
import { networkEnvironment } from '../clone.ts';
import { firstFiveMinutes } from '../first-run.ts';

t.test('the first five minutes of root', (t) => {
  const home = mkdtempSync('/tmp/cfs-root-');
  t.teardown(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(`${home}/run`, { mode: 0o700 });
  const env = {
    ...networkEnvironment,
    PATH: process.env['PATH'],
    HOME: home,
    XDG_RUNTIME_DIR: `${home}/run`,
  };
  return firstFiveMinutes(t, { uid: 0, gid: 0, home, env, runtime: `${home}/run/cortexfs` });
});
