import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { Effort } from '@cortexfs/abi/controls/model/effort';
import type { NetworkDriver } from '@cortexfs/abi/provider';

/** How each driver is told what is not common to all: how much to reason, and that nothing is kept at the provider. */
export function providerOptions(
  driver: NetworkDriver,
  provider: string,
  effort: Effort,
): SharedV3ProviderOptions {
  const reasoning = effort === 'auto' ? undefined : effort;
  switch (driver) {
    case 'openai-chat':
      return reasoning === undefined
        ? {}
        : { openai: { reasoningEffort: reasoning }, [provider]: { reasoningEffort: reasoning } };
    case 'openai-responses':
      return { openai: { store: false, ...(reasoning === undefined ? {} : { reasoningEffort: reasoning }) } };
    case 'anthropic-messages':
      return reasoning === undefined ? {} : { anthropic: { effort: reasoning } };
    case 'google':
      return reasoning === undefined
        ? {}
        : {
            google: {
              thinkingConfig: {
                thinkingLevel: reasoning === 'xhigh' ? 'high' : reasoning,
                includeThoughts: true,
              },
            },
          };
  }
}
