import t from 'tap';
import { networkEnvironment } from '../clone.ts';
import { firstFiveMinutes } from '../first-run.ts';
import { freshUser } from '../user.ts';

t.test('the first five minutes of a freshly created unprivileged user', (t) => {
  const user = freshUser(t);
  const env = {
    ...networkEnvironment,
    PATH: process.env['PATH'],
    HOME: user.home,
    USER: user.name,
    LOGNAME: user.name,
  };
  return firstFiveMinutes(t, { ...user, env, runtime: `/tmp/cortexfs-${user.uid}` });
});
