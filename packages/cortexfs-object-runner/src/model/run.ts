import { CortexError } from '@cortexfs/abi/errors';
import { parseModelInput } from '@cortexfs/abi/model-io';
import type { OpenedObject } from '../object.ts';
import { currentRun } from '../run-id.ts';
import { readInput } from '../stdio/input.ts';
import { writeAll } from '../stdio/output.ts';
import { isTerminal } from '../stdio/terminal.ts';
import { ModelFrames } from './frames.ts';
import type { Model } from './model.ts';
import { loadModel } from './registry.ts';

/**
 * One stateless inference, input from the arguments or standard input (docs/models.md). In a sandbox the run's
 * capability socket answers instead of this process, which has neither secret nor network there.
 */
export async function runModel(opened: OpenedObject, args: readonly string[]): Promise<number> {
  const model = await modelFor(opened);
  if (args.length === 1 && args[0] === '--help') return printUsage(1, model, 0);
  if (args.length === 0 && (await isTerminal(0))) return printUsage(2, model, 2);
  const frames = new ModelFrames(currentRun());
  frames.start(opened.name);
  try {
    const text = args.length > 0 ? args.join(' ') : readInput().replace(/\n$/, '');
    if (text.trim() === '') throw new CortexError('EINVAL', 'the input is empty', { layer: 'model' });
    for await (const event of model.answer(parseModelInput(text))) frames.write(event);
    return frames.done();
  } catch (err) {
    return frames.fail(err);
  }
}

async function modelFor(opened: OpenedObject): Promise<Model> {
  const { name } = opened;
  const socket = process.env['CTX_CONTROL_SOCKET'];
  if (socket !== undefined) return (await import('./remote.ts')).remoteModel(name, socket);
  const model = (await loadModel(name)) ?? (await import('./provided.ts')).providedModel(opened);
  if (model !== undefined) return model;
  throw new CortexError('ENOTSUP', 'its driver is debug, and this runner has no such model', {
    path: `model/${name}`,
    layer: 'model',
    hint: 'ctx model list',
  });
}

function printUsage(fd: number, model: Model, exitCode: number): number {
  writeAll(fd, Buffer.from(model.usage));
  return exitCode;
}
