import type { ModelInput } from '@cortexfs/abi/model-io';
import type { NetworkDriver } from '@cortexfs/abi/provider';
import type { ModelEvent } from '../model/model.ts';
import { Answer } from './answer.ts';
import { attempts } from './attempts.ts';
import { languageModel } from './drivers.ts';
import { openNetwork } from './fetch.ts';
import { promptOf } from './prompt.ts';
import { findProvider } from './provider.ts';
import { providerOptions } from './provider-options.ts';
import { Redaction } from './redaction.ts';
import { parseParameters, type Settings } from './settings.ts';
import { ToolNames } from './tool-names.ts';

export interface NetworkCall {
  /** The object's ABI path, for errors. */
  readonly path: string;
  readonly driver: NetworkDriver;
  readonly settings: Settings;
  readonly input: ModelInput;
}

/**
 * One inference over the network (docs/models.md): what the model says as it says it, then its whole message, its usage, its calls.
 * Throws CortexError; nothing that it throws or yields holds the key.
 */
export async function* answer({ path, driver, settings, input }: NetworkCall): AsyncGenerator<ModelEvent> {
  const parameters = parseParameters(settings.parameters, path);
  const { provider, key } = findProvider(path, settings.id);
  const redaction = new Redaction(key);
  const network = openNetwork((parameters.connect_timeout_s ?? 10) * 1000);
  const names = new ToolNames(input);
  try {
    const model = await languageModel(driver, provider, settings.id, key, network.fetch);
    const said = new Answer(names, input);
    const parts = attempts(model, {
      call: {
        prompt: promptOf(input, names),
        ...names.tools(input),
        ...optionsOf(parameters),
        providerOptions: providerOptions(driver, provider.name, settings.effort),
      },
      firstTokenMs: (parameters.first_token_timeout_s ?? 180) * 1000,
      stallMs: (parameters.stall_timeout_s ?? 60) * 1000,
      retryBudgetMs: (parameters.retry_budget_s ?? 30) * 1000,
      retryDelayMs: (parameters.retry_delay_s ?? 1) * 1000,
    });
    for await (const part of parts) yield* said.take(part);
    yield* said.end();
  } catch (error) {
    throw redaction.failure(error, path);
  } finally {
    await network.close();
  }
}

function optionsOf(parameters: ReturnType<typeof parseParameters>) {
  const named = {
    temperature: parameters.temperature,
    topP: parameters.top_p,
    topK: parameters.top_k,
    maxOutputTokens: parameters.max_tokens,
    seed: parameters.seed,
    presencePenalty: parameters.presence_penalty,
    frequencyPenalty: parameters.frequency_penalty,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
