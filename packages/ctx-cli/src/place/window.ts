import { model as modelCodec } from '@cortexfs/abi/controls/model';
import { limit as limitCodec } from '@cortexfs/abi/controls/model/limit';
import { owner as ownerCodec } from '@cortexfs/abi/controls/owner';
import { window as windowCodec } from '@cortexfs/abi/controls/window';
import { CortexError } from '@cortexfs/abi/errors';
import { loadControl } from './control-text.ts';
import { findModel } from './model.ts';

const PAIR = /^agent\/([^/]+)\.d\/(window|model)$/;

/**
 * Says why a window and a model do not fit, before the mount refuses them with an errno alone: a number of tokens needs a model whose
 * limit is known and not smaller. Returns a remark when the model is not there yet.
 */
export function checkWindow(root: string, path: string, content: string): string | undefined {
  const [, agent, control] = PAIR.exec(path) ?? [];
  if (agent === undefined) return undefined;
  const directory = `agent/${agent}.d`;
  const model =
    control === 'model' ? modelCodec.parse(content) : loadControl(root, `${directory}/model`, modelCodec);
  const tokens =
    control === 'window'
      ? windowCodec.parse(content)
      : loadControl(root, `${directory}/window`, windowCodec, 'auto');
  if (model instanceof CortexError || tokens instanceof CortexError) return undefined;
  const owner = loadControl(root, `${directory}/owner`, ownerCodec);
  const found = findModel(root, model, owner instanceof CortexError ? process.geteuid!() : owner);
  if (tokens !== 'auto') requireFit(root, path, tokens, model, found?.path);
  if (control !== 'model' || found !== undefined) return undefined;
  return `there is no model ${model} yet; runs fail with ENOENT until there is (ctx ls model)`;
}

function requireFit(
  root: string,
  path: string,
  tokens: number,
  model: string,
  found: string | undefined,
): void {
  const limit =
    found === undefined ? 'unknown' : loadControl(root, `${found}.d/limit`, limitCodec, 'unknown');
  const known = limit instanceof CortexError ? 'unknown' : limit;
  if (known !== 'unknown' && tokens <= known) return;
  const why =
    known === 'unknown' ? `the limit of model ${model} is unknown` : `model ${model} has a limit of ${known}`;
  throw new CortexError('EINVAL', `a window of ${tokens} tokens does not fit: ${why}`, {
    path,
    layer: 'window',
    hint: `ctx set ${path.replace(/[^/]+$/, 'window')} auto`,
  });
}
