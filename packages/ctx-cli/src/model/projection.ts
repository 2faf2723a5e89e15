import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { id as idCodec } from '@cortexfs/abi/controls/model/id';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import {
  formatModelName,
  isObjectName,
  type ModelId,
  parseModelName,
  parseObjectName,
} from '@cortexfs/abi/names';
import { formatObjectMetadata } from '@cortexfs/abi/object-metadata';
import { modelAlias, modelControls, modelExec, modelProvider } from '@cortexfs/abi/paths';
import { type Provider, stableModel } from '@cortexfs/abi/provider';
import { replaceLinkSync, writeDurableSync } from '@cortexfs/linux/durable-write';
import { runnerOf } from '../mount/launchers.ts';
import { modelControlTexts } from './controls.ts';

/** What a provider's configuration says of each of its models; the rest of the controls is the owner's. */
const PROJECTED = ['id', 'driver', 'limit'];

/** Brings a provider's model into the store as an object, or up to date with the configuration. Returns its name. */
export function projectModel(store: string, provider: Provider, id: string): ModelId {
  const model = stableModel(provider.name, id);
  const name = parseModelName(model);
  const folder = modelControls(name);
  try {
    for (const directory of [modelProvider(name.provider), folder])
      mkdirSync(`${store}/${directory}`, { recursive: true, mode: 0o755 });
    for (const [control, text] of Object.entries(controlsOf(provider, id)))
      if (PROJECTED.includes(control) || lookAt(`${store}/${folder}/${control}`) === undefined)
        writeDurableSync(`${store}/${folder}/${control}`, text, { mode: 0o644 });
    // The executable last: it is there when all that it needs is.
    const text = formatObjectMetadata({ runner: runnerOf(store), class: 'model', name: model });
    writeDurableSync(`${store}/${modelExec(name)}`, text, { mode: 0o755 });
  } catch (error) {
    throw fromNodeError(error, { path: modelExec(name), layer: 'store' });
  }
  return model;
}

/** EEXIST when another model has the name already that a provider's would get. */
export function requireFree(
  store: string,
  provider: Provider,
  id: string,
  others: readonly Provider[],
): void {
  const model = stableModel(provider.name, id);
  const path = modelExec(parseModelName(model));
  const other = others.find(({ name, models }) =>
    models.some((own) => stableModel(name, own) === model && (name !== provider.name || own !== id)),
  );
  const own = idOf(store, model);
  if (other === undefined && (own === undefined || own === id) && !path.startsWith('model/debug/')) return;
  throw new CortexError(
    'EEXIST',
    `the name ${model} is taken${other ? ` by the provider ${other.name}` : ''}`,
    {
      path,
      layer: 'store',
      hint: `ctx model remove ${model}, or give the provider another name`,
    },
  );
}

/** Takes a model out of the store, the executable first. Aliases that meant it mean debug/script again; they are returned. */
export function unprojectModel(store: string, model: ModelId): string[] {
  const name = parseModelName(model);
  const aliases = aliasesOf(store, model);
  for (const alias of aliases) setAlias(store, alias, 'debug/script' as ModelId);
  rmSync(`${store}/${modelExec(name)}`, { force: true });
  rmSync(`${store}/${modelControls(name)}`, { recursive: true, force: true });
  try {
    rmdirSync(`${store}/${modelProvider(name.provider)}`);
  } catch {
    // Other models are left in it.
  }
  return aliases;
}

/** The provider's own id of a model in the store; undefined when there is no such model. */
export function idOf(store: string, model: ModelId): string | undefined {
  try {
    return idCodec.parse(readFileSync(`${store}/${modelControls(parseModelName(model))}/id`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** All models of a store, in name order. */
export function modelsIn(store: string): ModelId[] {
  return namesIn(`${store}/model`).flatMap((provider) =>
    namesIn(`${store}/model/${provider}`)
      .filter((model) => lookAt(`${store}/model/${provider}/${model}`)?.isFile())
      .map((model) => formatModelName(parseModelName(`${provider}/${model}`))),
  );
}

/** System aliases that lead to the model at once. */
export function aliasesOf(store: string, model: ModelId): string[] {
  return namesIn(`${store}/model`).filter((alias) => {
    if (!lookAt(`${store}/model/${alias}`)?.isSymbolicLink()) return false;
    const target = readlinkSync(`${store}/model/${alias}`);
    return target === model || target === `/ctx/model/${model}`;
  });
}

/** Turns an alias to a model; whoever resolves it gets the old or the new one. */
export function setAlias(store: string, alias: string, model: ModelId): void {
  const path = modelAlias(parseObjectName(alias));
  try {
    replaceLinkSync(`${store}/${path}`, model);
  } catch (error) {
    throw fromNodeError(error, { path, layer: 'store' });
  }
}

function controlsOf({ driver, model_limits }: Provider, id: string): Record<string, string> {
  return modelControlTexts({
    id,
    driver,
    cap: 'chat\nstream\ntool_call_syntax\n',
    limit: model_limits?.[id] ?? 'unknown',
  });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter(isObjectName).sort();
  } catch {
    return [];
  }
}

function lookAt(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
