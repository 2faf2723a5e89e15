import type { ModelFrame, ModelInput } from '@cortexfs/abi/model-io';

/** What a model yields: everything between `start` and `done`, which the runner writes. */
export type ModelEvent = Extract<
  ModelFrame,
  { type: 'delta' | 'reasoning_delta' | 'message' | 'tool_call' | 'usage' }
>;

/** A model that runs in this process. Throws CortexError; the runner turns that into error and done. */
export interface Model {
  /** For people, when the model is executed on a terminal without input. */
  readonly usage: string;
  answer(input: ModelInput): Iterable<ModelEvent> | AsyncIterable<ModelEvent>;
}
