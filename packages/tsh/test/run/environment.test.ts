import t from 'tap';
import { toolEnvironment } from '../../src/run/environment.ts';

const hostile = {
  LD_PRELOAD: '/x.so',
  LD_LIBRARY_PATH: '/x',
  NODE_OPTIONS: '--require /x',
  BASH_ENV: '/x',
  ENV: '/x',
  PYTHONPATH: '/x',
  PERL5OPT: '-Mx',
  IFS: 'x',
  PROMPT_COMMAND: 'x',
  'BASH_FUNC_ls%%': '() { x; }',
  GIT_DIR: '/x',
};

t.test("an agent's tool gets only the variables of its terminal, and a fixed PATH", async (t) => {
  const kept = {
    CTX_ROOT: '/ctx',
    CTX_AGENT: 'coder',
    HOME: '/home/agent',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    LC_ALL: 'C',
    CTX_RUN_ID: 'r',
  };
  t.same(toolEnvironment({ ...hostile, ...kept, PATH: '/workspace/bin' }, true), {
    ...kept,
    PATH: '/usr/bin:/bin',
  });
  t.equal(toolEnvironment({}, true)['PATH'], '/usr/bin:/bin');
});

t.test("a person's tool gets the person's environment", async (t) => {
  const env = { ...hostile, PATH: '/mine' };
  t.same(toolEnvironment(env, false), env);
});
