import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { ctx } from '../process.ts';
import { plainRoot } from '../root.ts';

/** A command line, its exit code, and what it prints; a hint is part of standard error. */
type Row = [line: string, code: number, out: RegExp | string, err?: RegExp | string];

function rows(
  title: string,
  table: readonly Row[],
  prepare: (place: ReturnType<typeof plainRoot>) => void = () => {},
): void {
  t.test(title, async (t: Test) => {
    const place = plainRoot(t);
    prepare(place);
    for (const [line, code, out, err = ''] of table) {
      const words = line.split(' ').map((word) => (word === "''" ? '' : word));
      const ended = await ctx({ ...place.env, CTX_ROOT: place.root }, words);
      const expected = (text: RegExp | string) =>
        typeof text === 'string' ? text.replaceAll('ROOT', place.root) : text;
      t.match(ended, { code, out: expected(out), err: expected(err) }, line);
      if (out === '') t.equal(ended.out, '', line);
      if (err === '') t.equal(ended.err, '', line);
    }
  });
}

rows('which finds the executable that a name means', [
  ['which tool fs.read', 0, 'ROOT/tool/fs.read\n'],
  ['which agent coder', 0, 'ROOT/agent/coder\n'],
  ['which model main', 0, 'ROOT/model/debug/small\n'],
  ['which model debug/unknown', 0, 'ROOT/model/debug/unknown\n'],
  [
    'which tool fs.read --json',
    0,
    /^\{"class":"tool","name":"fs\.read","path":"tool\/fs\.read","absolute":"/,
  ],
  ['which tool nothing', 1, '', /^ctx: ENOENT: there is no tool nothing\nhint: ctx ls tool\n$/],
  ['which model dangling', 1, '', /ENOENT/],
  ['which model no/such', 1, '', /ENOENT/],
  ['which tool ../x', 2, '', /EINVAL/],
  ['which model a/b/c', 2, '', /EINVAL/],
  ['which thing x', 2, '', /is no class\nhint: agent, model or tool/],
  ['which toString x', 2, '', /is no class/],
  ['which tool', 2, '', /an argument is missing\nhint: usage: ctx which CLASS NAME/],
]);

rows('path tells where a shared space is', [
  ['path shared notes', 0, 'ROOT/shared/notes\n'],
  ['path shared notes --json', 0, /"path":"shared\/notes"/],
  ['path shared none', 1, '', /ENOENT: shared\/none: there is no such shared space\nhint: mkdir /],
  ['path shared ../x', 2, '', /EINVAL/],
  ['path home x', 2, '', /is no kind of place\nhint: shared/],
]);

rows('validate-name says whether an object may be called so, and why not', [
  ['validate-name fs.read', 0, 'valid object name fs.read\n'],
  ['validate-name openai/gpt-5.6', 0, 'valid model name openai/gpt-5.6\n'],
  ['validate-name fs.read --json', 0, '{"name":"fs.read","kind":"object","valid":true}\n'],
  ['validate-name x.d', 2, '', /EINVAL/],
  ['validate-name x.sock', 2, '', /EINVAL/],
  ['validate-name -- -x', 2, '', /EINVAL/],
  ["validate-name ''", 2, '', /EINVAL/],
  ['validate-name a/b/c', 2, '', /EINVAL/],
  [`validate-name ${'n'.repeat(65)}`, 2, '', /ENAMETOOLONG/],
]);

rows('file tells what it can without a mount', [
  [
    'file agent/coder',
    0,
    /^path {11}agent\/coder\nkind {11}ctx\.unknown\ntype {11}file\nmode {11}0755\nuid {12}\d+\ngid/,
  ],
  ['file info model/main', 0, /kind {11}ctx\.symlink\n[\s\S]*target {9}debug\/small\n$/],
  ['file type model/main', 0, 'ctx.symlink\n'],
  ['file type model/main --json', 0, '{"kind":"ctx.symlink"}\n'],
  ['file info agent/coder --json', 0, /^\{"path":"agent\/coder",.*"mode":"0755"/],
  ['file nothing', 1, '', /ENOENT: nothing/],
  ['file info ../../etc/passwd', 2, '', /outside the root/],
]);

rows('file check accepts what is as it must be', [
  ['file check agent/coder.d/policy', 0, 'ok agent/coder.d/policy\n'],
  ['file check agent/coder.d', 0, 'ok agent/coder.d\n'],
  ['file check tool/fs.list', 0, 'ok tool/fs.list\n'],
  ['file check model/main', 0, 'ok model/main\n'],
  ['file check shared/notes', 0, 'ok shared/notes\n'],
  ['file check agent/coder.d --json', 0, '{"path":"agent/coder.d","valid":true,"faults":[]}\n'],
]);

rows(
  'file check tells every fault',
  [
    [
      'file check agent/coder.d',
      2,
      '',
      /coder\.d\/model: there is no model nope[\s\S]*coder\.d\/abi: must be[\s\S]*coder\.d\/policy:2: /,
    ],
    [
      'file check agent/coder.d --json',
      2,
      /^\{"path":"agent\/coder\.d","valid":false,"faults":\[\{"code":"EINVAL"/,
    ],
    ['file check agent/coder.d/policy', 2, '', /policy:2: /],
    ['file check agent/coder.d/colour', 2, '', /not a control of agent objects/],
    ['file check model/dangling', 2, '', /leads to no model/],
    ['file check tool/fs.read', 2, '', /./],
    ['file check tool/fs.write', 2, '', /it says that it is fs\.list/],
    ['file check tool/none', 2, '', /ENOENT/],
  ],
  ({ write }) => {
    write('agent/coder.d/abi', 'v9\n');
    write('agent/coder.d/model', 'nope\n');
    write('agent/coder.d/policy', '# rules\nallow everything\n');
    write('agent/coder.d/colour', 'red\n');
    write('tool/fs.write', '#!/r\n# cortexfs.object=tool\n# cortexfs.name=fs.list\n');
  },
);

rows('explain prints every layer of the decision, and the exit code follows it', [
  [
    'explain coder tool:fs.read execute',
    0,
    /^credentials +allowed [\s\S]*mode +allowed [\s\S]*mount +allowed [\s\S]*label +allowed +subject coder_t\nagent-policy +allowed [\s\S]*object-policy +allowed [\s\S]*path +skipped [\s\S]*declaration +skipped [\s\S]*\nallowed\n$/,
  ],
  [
    'explain coder tool:fs.read execute --direct',
    0,
    /path +allowed +found in \/ctx\/tool\ndeclaration +allowed /,
  ],
  [
    'explain coder tool:fs.list execute',
    13,
    /object-policy +refused[\s\S]*refused by object-policy: EACCES: tool policy has no "allow coder_t tool:fs\.list execute"\n$/,
  ],
  [
    'explain coder tool:fs.write execute',
    13,
    /refused by agent-policy: EACCES: agent policy has no "allow coder_t tool:fs\.write execute"/,
  ],
  ['explain coder tool:fs.list execute --direct', 13, /declaration +refused +"fs\.list" is not declared/],
  ['explain coder tool:none execute', 1, /refused by mode: ENOENT/],
  ['explain coder model:main use', 0, /agent-policy +allowed +allow coder_t model:main use/],
  ['explain coder model:debug/small use', 13, /refused by agent-policy/],
  ['explain coder session:default read', 0, /mode +skipped/],
  ['explain coder network:default connect', 13, /refused by agent-policy/],
  ['explain coder shared:notes read', 13, /mount +allowed +visible, rw[\s\S]*refused by agent-policy/],
  [
    'explain coder tool:fs.read execute --json',
    0,
    /^\{"allowed":true,"verdicts":\[\{"layer":"credentials","verdict":"allowed"/,
  ],
  ['explain coder tool:fs.read use', 2, '', /EINVAL/],
  ['explain coder thing:x read', 2, '', /EINVAL/],
  ['explain coder tool:*, execute', 2, '', /EINVAL/],
  ['explain nobody tool:fs.read execute', 1, '', /ENOENT: agent\/nobody\.d\/owner/],
]);

rows('tool list, show and run work as the person who types', [
  [
    'tool list',
    0,
    /^tool\/fs\.list +ready +What fs\.list does\.\ntool\/fs\.read +ready +What fs\.read does\.\ntool\/fs\.write/,
  ],
  [
    'tool list --json',
    0,
    /^\[\{"name":"fs\.list","path":"tool\/fs\.list","status":"ready","description":"What fs\.list does\."\}/,
  ],
  [
    'tool show fs.read',
    0,
    /^tool\/fs\.read\n\ndescription\n {2}What fs\.read does\.\n\nschema\n[\s\S]*policy\n {2}allow coder_t/,
  ],
  [
    'tool show fs.read --json',
    0,
    /"cap":"","policy":"allow coder_t tool:fs\.read execute\\n","status":"ready\\n","log":null\}/,
  ],
  ['tool show none', 1, '', /ENOENT: tool\/none: there is no such tool\nhint: ctx tool list/],
  ['tool run fs.read --json a b', 3, 'ran --json a b\n'],
  ['tool run none', 1, '', /ENOENT/],
  ['tool run', 2, '', /an argument is missing/],
]);

rows('what CortexFS is can be asked', [
  ['version', 0, /^ctx \d+\.\d+\.\d+\n$/],
  ['version --json', 0, /^\{"version":"\d+\.\d+\.\d+","node":"v/],
  [
    'abi',
    0,
    /^version +\d[\s\S]*root +agent bin home model shared status tool\ncontrols\.agent +owner uid [\s\S]*permissions\.tool +execute\n[\s\S]*schemas +cortexfs\.agent-invocation\/v1 /,
  ],
  ['abi --json', 0, /"agent_abi":"sdk-envelope-v1"/],
  ['root', 0, 'ROOT\n'],
  ['root --json', 0, '{"root":"ROOT"}\n'],
  ['env', 0, /^kind=user\nroot=\/tmp\/ctx-[^\n]*\/root\nstore=/],
  ['env --json', 0, /^\{"kind":"user","root":"/],
  ['man', 0, /^[\s\S]*mount +The mount\n/],
  ['man --json', 0, /^\[\{"name":"agents","title":/],
  ['man plugins', 0, /^# Installed objects, executed\n/],
  ['man ../man/mount', 1, '', /there is no page/],
  ['completion fish', 0, /^complete -c ctx /],
  ['completion zsh', 0, /^#compdef ctx\n/],
  ['completion bash', 0, /complete -F _ctx ctx\n$/],
  ['completion csh', 2, '', /no completion for "csh"\nhint: bash, zsh or fish/],
]);

rows('names complete: commands, options, objects, paths, permissions', [
  ["completion words -- ''", 0, /^abi\nagent\nappend\nbootstrap\n/],
  ['completion words -- fi', 0, 'file\n'],
  ["completion words -- agent ''", 0, /attach\ncancel\nchat\n/],
  ["completion words -- agent send ''", 0, 'coder\n'],
  ['completion words -- agent send co', 0, 'coder\n'],
  ['completion words -- cat agent/coder.d/mo', 0, 'agent/coder.d/model\nagent/coder.d/mount\n'],
  ['completion words -- ls sha', 0, 'shared/\n'],
  ['completion words -- which to', 0, 'tool\n'],
  ['completion words -- which tool fs.r', 0, 'fs.read\n'],
  ['completion words -- tool show fs.w', 0, 'fs.write\n'],
  ["completion words -- explain coder model:main ''", 0, 'use\n'],
  ['completion words -- ls --lo', 0, '--long\n'],
  ['completion words -- model check ma', 0, 'main\n'],
  ["completion words -- model remove ''", 0, 'debug\ndebug/small\ndebug/unknown\n'],
  ['completion words -- model add op', 0, 'openai\nopenrouter\n'],
  ["completion words -- nothing ''", 0, ''],
]);

rows('set and append check first, and say why a window does not fit', [
  ['set agent/coder.d/window 900', 0, ''],
  [
    'set agent/coder.d/window 2000',
    2,
    '',
    /^ctx: EINVAL: agent\/coder\.d\/window: a window of 2000 tokens does not fit: model main has a limit of 1000\nhint: ctx set agent\/coder\.d\/window auto\n$/,
  ],
  [
    'set agent/coder.d/model debug/unknown',
    2,
    '',
    /a window of 900 tokens does not fit: the limit of model debug\/unknown is unknown/,
  ],
  ['set agent/coder.d/model nope', 2, '', /the limit of model nope is unknown/],
  ['set agent/coder.d/window auto', 0, ''],
  ['set agent/coder.d/model nope', 0, '', /^ctx: agent\/coder\.d\/model: there is no model nope yet; /],
  ['set agent/coder.d/window 10', 2, '', /the limit of model nope is unknown/],
  ['set agent/coder.d/window 010', 2, '', /must be "auto" or a number/],
  ['set agent/coder.d/approval ask', 0, ''],
  ['set agent/coder.d/approval perhaps', 2, '', /EINVAL: agent\/coder\.d\/approval/],
  ['append agent/coder.d/tools fs.list', 0, ''],
  ['append agent/coder.d/tools fs.list', 2, '', /EINVAL: agent\/coder\.d\/tools:3/],
  ['append agent/coder.d/tools tsh', 2, '', /EINVAL/],
  ['append agent/coder.d/policy nonsense', 2, '', /EINVAL: agent\/coder\.d\/policy:5/],
  ['append agent/coder.d/none x', 1, '', /ENOENT/],
  ['set agent/coder.d/none x --json', 1, '', /^\{"error":\{"code":"ENOENT"/],
]);

t.test('a refused value leaves the old one', async (t) => {
  const { root, env } = plainRoot(t);
  const before = readFileSync(`${root}/agent/coder.d/policy`, 'utf8');
  t.equal((await ctx(env, ['--root', root, 'set', 'agent/coder.d/policy', '-'], 'allow x\n')).code, 2);
  t.equal(readFileSync(`${root}/agent/coder.d/policy`, 'utf8'), before);
  t.match(await ctx(env, ['set', 'x', 'y']), { code: 69, err: /ENOTCONN/ }, 'nothing without a root');
});
