import { model as modelCodec } from '@cortexfs/abi/controls/model';
import { limit as limitCodec } from '@cortexfs/abi/controls/model/limit';
import { type Window, window as windowCodec } from '@cortexfs/abi/controls/window';
import { CortexError } from '@cortexfs/abi/errors';
import type { ModelId, ObjectName } from '@cortexfs/abi/names';
import { resolveModel } from '../objects/resolve-model.ts';
import type { World } from '../world.ts';
import type { ControlPlace } from './place.ts';

/** A window of a number of tokens needs a model whose limit is known and not smaller; checked when either of the two changes. */
export function requireWindowFits(control: ControlPlace, value: unknown): void {
  if (control.name !== 'window' && control.name !== 'model') return;
  const { world } = control.scope;
  const tokens =
    control.name === 'window'
      ? (value as Window)
      : world.controls.loadOr(control.directory, 'window', windowCodec, 'auto');
  if (tokens === 'auto') return;
  const model =
    control.name === 'model'
      ? (value as ModelId | ObjectName)
      : world.controls.load(control.directory, 'model', modelCodec);
  if (model instanceof CortexError) throw conflict(tokens, 'the agent names no usable model');
  requireFit(world, tokens, model, control.owner);
}

/** Refuses a window that is greater than the model's limit, or whose model has none that is known. */
export function requireFit(
  world: World,
  tokens: Window,
  model: ModelId | ObjectName,
  owner: number | undefined,
): void {
  if (tokens === 'auto') return;
  const limit = limitOf(world, model, owner);
  if (limit === 'unknown') throw conflict(tokens, `the limit of model ${model} is unknown`);
  if (tokens > limit) throw conflict(tokens, `model ${model} has a limit of ${limit}`);
}

function limitOf(world: World, reference: string, owner: number | undefined): number | 'unknown' {
  const model = resolveModel(world, reference, owner);
  return model === undefined
    ? 'unknown'
    : world.controls.loadOr(`${model.path}.d`, 'limit', limitCodec, 'unknown');
}

function conflict(tokens: number, why: string): CortexError {
  return new CortexError('EINVAL', `a window of ${tokens} tokens does not fit: ${why}`, {
    layer: 'window',
    hint: 'set window to auto first',
  });
}
