import { CortexError } from '@cortexfs/abi/errors';
import type { AgentDefinition } from '../../definition/definition.ts';
import { modelLimit, type ResolvedModel, resolveModel } from '../authority/model-use.ts';
import type { HostContext } from '../host-context.ts';
import { type EffectiveWindow, effectiveWindow } from '../prompt/window.ts';

export interface ModelChoice {
  /** undefined when the agent's reference leads nowhere: not every executable needs a model. */
  readonly model: ResolvedModel | undefined;
  /** Throws EINVAL when the agent's window setting does not go with the model. */
  window(): EffectiveWindow;
}

/** The model that an agent's `model` control means now, and the window that it gets. */
export function chooseModel({ site }: Pick<HostContext, 'site'>, definition: AgentDefinition): ModelChoice {
  const model = resolved(site.store, definition);
  return {
    model,
    window() {
      const limit = model === undefined ? undefined : modelLimit(site.root, model.name);
      return effectiveWindow(definition.window, limit, model?.id ?? `model/${definition.model}`);
    },
  };
}

function resolved(store: string, { owner, model }: AgentDefinition): ResolvedModel | undefined {
  try {
    return resolveModel(store, owner, model);
  } catch (error) {
    if (error instanceof CortexError) return undefined;
    throw error;
  }
}
