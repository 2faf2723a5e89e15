import { CortexError } from '@cortexfs/abi/errors';
import { loadedNames, type ToolContext } from '@cortexfs/abi/session/tool-context';
import { pin as pinned, remove, resize, touch, unpin as unpinned } from '../context/cache.ts';
import { contextFile, readContext, writeContext } from '../context/file.ts';
import { type Limits, loadLimits } from '../context/limits.ts';
import { describeTool } from '../tool/describe.ts';
import { type Builtin, type Context, Misuse } from './builtin.ts';
import { listing } from './tools.ts';

export const load: Builtin = {
  usage: 'NAME…',
  summary: 'puts tools into the context of the session',
  run: (context, args) =>
    change(context, args, (tools, name, limits) => touch(tools, visible(context, name), limits)),
};

export const unload: Builtin = {
  usage: 'NAME…',
  summary: 'takes tools out of the context, pinned ones too',
  run: (context, args) => change(context, args, (tools, name) => remove(tools, loadedName(tools, name))),
};

export const pin: Builtin = {
  usage: 'NAME…',
  summary: 'loads tools and keeps them loaded',
  run: (context, args) =>
    change(
      context,
      args,
      (tools, name, limits) => pinned(tools, visible(context, name), limits) ?? tooMany(limits),
    ),
};

export const unpin: Builtin = {
  usage: 'NAME…',
  summary: 'lets pinned tools leave again when others are used more',
  run: (context, args) =>
    change(context, args, (tools, name, limits) => unpinned(tools, loadedName(tools, name), limits)),
};

export const loads: Builtin = {
  usage: '',
  summary: 'the tools in the context of the session',
  run: (context, args) => show(context, args, loadedNames),
};

export const pins: Builtin = {
  usage: '',
  summary: 'the pinned tools',
  run: (context, args) => show(context, args, (tools) => tools.pinned),
};

type Change = (tools: ToolContext, name: string, limits: Limits) => ToolContext;

/** All names or none: a wrong one leaves the context as it was. */
async function change(context: Context, names: readonly string[], apply: Change): Promise<number> {
  if (names.length === 0) throw new Misuse('at least one name');
  const { root, env } = context.shell;
  const limits = loadLimits(root);
  const path = contextFile(env);
  const before = resize(readContext(path), limits);
  const after = names.reduce((tools, name) => apply(tools, name, limits), before);
  await writeContext(path, after);
  const left = loadedNames(before).filter(
    (name) => !names.includes(name) && !loadedNames(after).includes(name),
  );
  if (left.length > 0) context.err(`tsh: no longer loaded: ${left.join(' ')}\n`);
  return 0;
}

/** A loaded tool that may no longer be run is not shown: loading never grants anything. */
function show(
  { shell, out, json }: Context,
  args: readonly string[],
  pick: (tools: ToolContext) => readonly string[],
): number {
  if (args.length > 0) throw new Misuse('no arguments');
  const names = new Set(pick(readContext(contextFile(shell.env))));
  const found = shell
    .tools()
    .filter(({ name }) => names.has(name))
    .map(describeTool);
  out(json ? `${JSON.stringify(found)}\n` : listing(found));
  return 0;
}

function visible({ shell }: Context, name: string): string {
  return shell.find(name).name;
}

function loadedName(tools: ToolContext, name: string): string {
  if (loadedNames(tools).includes(name)) return name;
  throw new CortexError('ENOENT', 'is not loaded', { path: name, layer: 'session', hint: 'see "loads"' });
}

function tooMany({ max_loaded_tools }: Limits): never {
  throw new CortexError('EAGAIN', `${max_loaded_tools} tools are pinned already`, {
    layer: 'session',
    hint: 'unpin one, or raise max_loaded_tools in tool/tsh.d/config',
  });
}
