import fc from 'fast-check';
import t from 'tap';
import { resolveDeployment, runtimesOf } from '../src/deployment.ts';
import { hostileText, parsesOrRefuses } from './arbitrary.ts';
import { holds } from './property.ts';

const alex = { uid: 1000, home: '/home/alex' };

t.test('without any variable everything follows from home and uid', async (t) => {
  t.same(resolveDeployment({ ...alex, env: {} }), {
    kind: 'user',
    store: '/home/alex/.local/share/cortexfs/store',
    runtime: '/tmp/cortexfs-1000',
    config: '/home/alex/.config/cortexfs',
    secrets: '/home/alex/.config/cortexfs/secrets',
    defaultMount: '/tmp/cortexfs-1000/ctx',
  });
});

t.test('the base directories move it', async (t) => {
  const env = { XDG_DATA_HOME: '/d/', XDG_CONFIG_HOME: '/c', XDG_RUNTIME_DIR: '/run/user/1000' };
  t.same(resolveDeployment({ ...alex, env }), {
    kind: 'user',
    store: '/d/cortexfs/store',
    runtime: '/run/user/1000/cortexfs',
    config: '/c/cortexfs',
    secrets: '/c/cortexfs/secrets',
    defaultMount: '/run/user/1000/cortexfs/ctx',
  });
});

t.test('empty and relative base directories are ignored, as their specification says', async (t) => {
  const plain = resolveDeployment({ ...alex, env: {} });
  for (const value of ['', 'relative', './x', '/a\0b'])
    t.same(
      resolveDeployment({
        ...alex,
        env: { XDG_DATA_HOME: value, XDG_CONFIG_HOME: value, XDG_RUNTIME_DIR: value },
      }),
      plain,
    );
});

t.test(
  'the mount goes to CTX_ROOT, else to /ctx when writable, else below the runtime directory',
  async (t) => {
    const mount = (env: Record<string, string>, ctxWritable: boolean) =>
      resolveDeployment({ ...alex, env, ctxWritable }).defaultMount;
    t.equal(mount({ CTX_ROOT: '/mnt/c/' }, true), '/mnt/c');
    t.equal(mount({}, true), '/ctx');
    t.equal(mount({ CTX_ROOT: '' }, false), '/tmp/cortexfs-1000/ctx');
  },
);

t.test('a relative CTX_ROOT is refused, not guessed', async (t) => {
  t.throws(() => resolveDeployment({ ...alex, env: { CTX_ROOT: 'ctx' } }), {
    code: 'EINVAL',
    message: 'CTX_ROOT is "ctx", which is not an absolute path',
    hint: /unset CTX_ROOT/,
  });
});

t.test('the system deployment has fixed places', async (t) => {
  t.same(resolveDeployment({ uid: 0, home: '/root', env: { XDG_DATA_HOME: '/d' }, kind: 'system' }), {
    kind: 'system',
    store: '/var/lib/cortexfs/storage/current',
    runtime: '/run/cortexfs',
    config: '/etc/cortexfs',
    secrets: '/var/lib/cortexfs/secrets',
    defaultMount: '/ctx',
  });
});

t.test(
  'in the system deployment users keep what runs and their configuration in places of their own',
  async (t) => {
    const env = { XDG_RUNTIME_DIR: '/elsewhere', XDG_CONFIG_HOME: '/c' };
    const own = (hasRunUser: boolean) => resolveDeployment({ ...alex, env, kind: 'system', hasRunUser });
    t.same(own(true), {
      kind: 'system',
      store: '/var/lib/cortexfs/storage/current',
      runtime: '/run/user/1000/cortexfs',
      config: '/c/cortexfs',
      secrets: '/c/cortexfs/secrets',
      defaultMount: '/ctx',
    });
    t.equal(own(false).runtime, '/tmp/cortexfs-1000', 'the mount has to find it, so no variable moves it');
    t.match(
      resolveDeployment({ uid: 0, home: '/root', env, kind: 'system', hasRunUser: true }),
      { runtime: '/run/cortexfs', config: '/etc/cortexfs' },
      'the machine’s places are root’s own',
    );
    t.same(runtimesOf(7), ['/run/user/7/cortexfs', '/tmp/cortexfs-7']);
  },
);

t.test('property: every place is absolute, or the environment is refused', async (t) => {
  const names = ['CTX_ROOT', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];
  const env = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(
      hostileText,
      hostileText.map((text) => `/${text}`),
    ),
  );
  holds(
    t,
    fc.property(env, (env) =>
      parsesOrRefuses(() => {
        const { kind: _, ...places } = resolveDeployment({ ...alex, env });
        for (const place of Object.values(places)) if (!/^\/[^\0]*$/.test(place)) throw new Error(place);
      }),
    ),
  );
});
