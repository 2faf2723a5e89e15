import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEachTransport } from '../fixture/each-transport.ts';
import { makeSite, mounted, shell, stop } from '../fixture/mounted.ts';

const self = process.geteuid!();

onEachTransport('what a shell does at the mount', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  const running = await mounted(t, site);
  const { root, store } = site;
  const coder = `${root}/agent/coder.d`;

  await t.test('executing an object starts the runner with it and its arguments', async (t) => {
    for (const [object, args] of [
      ['tool/fs.read', `'{"path": "x"}'`],
      ['model/debug/echo', 'hi there'],
      ['model/main', ''],
    ] as const) {
      const { status, stdout } = await shell(`${root}/${object} ${args}`);
      t.equal(status, 0, object);
      t.match(stdout.split('\n')[0], `<${root}/${object}>`);
    }
    t.equal(
      (await shell(`${root}/tool/fs.read '{"path": "x"}'`)).stdout,
      `<${root}/tool/fs.read>\n<{"path": "x"}>\n`,
    );
    t.equal((await shell(`${root}/bin/ctx`)).status, 0, 'launchers run');
    t.not((await shell(`${root}/agent/coder.d/policy`)).status, 0, 'controls do not');
  });

  await t.test('echo replaces a control, and says so when it cannot', async (t) => {
    t.equal((await shell(`echo 4096 > ${coder}/window && cat ${coder}/window`)).stdout, '4096\n');
    t.match(await shell(`echo 0 > ${coder}/window`), {
      status: /[12]/,
      stderr: /Invalid argument|I\/O error/,
    });
    t.equal((await shell(`cat ${coder}/window`)).stdout, '4096\n');
    t.equal(
      (
        await shell(
          `printf 'allow coder_t tool:fs.write execute\\n' >> ${coder}/policy; tail -1 ${coder}/policy`,
        )
      ).stdout,
      'allow coder_t tool:fs.write execute\n',
    );
    t.equal(readFileSync(join(store.source, 'agent/coder.d/window'), 'utf8'), '4096\n');
    t.match(await shell(`echo x > ${coder}/nosuch`), { status: /[12]/, stderr: /not permitted|denied/ });
    t.match(await shell(`echo 1 > ${root}/model/debug/script.d/limit`), {
      status: /[12]/,
      stderr: /Read-only file system|denied/,
    });
  });

  await t.test('cp, mv and rm work where they make sense', async (t) => {
    writeFileSync(join(store.base, 'new'), 'ask\n');
    t.equal(
      (await shell(`cp ${store.base}/new ${coder}/approval && cat ${coder}/approval && rm ${coder}/approval`))
        .stdout,
      'ask\n',
    );
    t.equal(
      (
        await shell(
          `cp ${store.base}/new ${coder}/.x && mv ${coder}/.x ${coder}/approval && cat ${coder}/approval`,
        )
      ).stdout,
      'ask\n',
    );
    t.match(await shell(`mv ${coder}/policy ${coder}/policy~`), { status: 1 });
    t.match(await shell(`rm ${root}/tool/fs.read`), { status: 1 });
    t.match(await shell(`mkdir ${root}/new`), { status: 1 });
  });

  await t.test(
    'a stat of an unchanged control is answered again, and a change in the store is seen within a second',
    async (t) => {
      const size = async () => (await shell(`stat -c %s ${root}/agent/reviewer.d/policy`)).stdout;
      t.equal(await size(), '38\n');
      store.write('agent/reviewer.d/policy', '');
      await new Promise((resolve) => setTimeout(resolve, 1100));
      t.equal(await size(), '0\n');
    },
  );

  await t.test('a home behaves like a directory of the store', async (t) => {
    const home = `${root}/home/${self}`;
    const script = `set -e; cd ${home}; umask 027; mkdir a; echo one > a/f; echo two >> a/f; ln a/f a/g; ln -s f a/l
      cat a/l; stat -c '%a %h' a/f; chmod 4755 a/f; mv a b; find b | sort; truncate -s 3 b/g; cat b/f; echo; rm -r b; ls`;
    const { stdout, stderr } = await shell(script);
    t.equal(stderr, '');
    t.equal(stdout, 'one\ntwo\n640 2\nb\nb/f\nb/g\nb/l\none\nagent\nmodel\ntool\n');
  });

  await t.test('what the store changes directly is seen at once in a home', async (t) => {
    store.write(`home/${self}/log`, 'one\n');
    const log = `${root}/home/${self}/log`;
    t.equal((await shell(`cat ${log}`)).stdout, 'one\n');
    writeFileSync(join(store.source, `home/${self}/log`), 'two\n', { flag: 'a' });
    t.equal((await shell(`cat ${log}; wc -c < ${log}`)).stdout, 'one\ntwo\n8\n');
    store.write(`home/${self}/.new`, 'replaced\n');
    await shell(`mv ${store.source}/home/${self}/.new ${store.source}/home/${self}/log`);
    t.equal((await shell(`cat ${log}`)).stdout, 'replaced\n');
  });

  await t.test('the view shows what the agent may see, and an edit counts at once', async (t) => {
    const view = `${root}/.view/coder`;
    const list = async () => (await shell(`ls ${view}/tool`)).stdout;
    await shell(`echo 'allow coder_t tool:fs.read execute' > ${coder}/policy`);
    t.equal(await list(), 'fs.read\nfs.read.d\n');
    t.equal((await shell(`${view}/tool/fs.read`)).stdout, `<${view}/tool/fs.read>\n`);
    await shell(`echo 'allow coder_t tool:fs.list execute' > ${coder}/policy`);
    t.equal(await list(), 'fs.list\nfs.list.d\n');
    t.equal((await shell(`${view}/tool/fs.read`)).status, 127);
    t.match(await shell(`echo > ${view}/agent/coder.d/policy`), { status: /[12]/, stderr: /Read-only/ });
    t.equal((await shell(`ls -A ${root}`)).stdout, 'agent\nbin\nhome\nmodel\nshared\nstatus\ntool\n');
  });

  await t.test('attributes', async (t) => {
    const { stdout } = await shell(`getfattr --absolute-names -d ${root}/tool/fs.read`);
    t.match(stdout, /user\.cortexfs\.kind="ctx\.tool\.exec"/);
    t.match(await shell(`setfattr -n user.cortexfs.kind -v x ${root}/home/${self}`), {
      status: 1,
      stderr: /not permitted/,
    });
  });

  t.equal(await stop(running), 0);
  t.equal(running.said(), '');
});

onEachTransport('readers never see half of a control while writers replace it', {}, async (t, transport) => {
  const site = makeSite(t, { transport });
  await mounted(t, site);
  const policy = `${site.root}/agent/coder.d/policy`;
  const value = (n: number) => `allow coder_t tool:fs.read execute\n`.repeat(n);
  const write = async (n: number) => {
    for (let i = 0; i < 25; i++) await shell(`printf '%s' '${value(n)}' > ${policy}`);
  };
  const seen = new Set<string>();
  let over = false;
  const read = async () => {
    while (!over) seen.add((await shell(`cat ${policy}`)).stdout);
  };
  await shell(`printf '%s' '${value(1)}' > ${policy}`);
  const readers = [read(), read()];
  await Promise.all([write(1), write(60)]);
  over = true;
  await Promise.all(readers);
  t.strictSame(
    [...seen].filter((text) => text !== value(1) && text !== value(60)),
    [],
  );
  t.ok(seen.size > 0);
});
