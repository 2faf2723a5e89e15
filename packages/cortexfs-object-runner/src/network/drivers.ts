import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { NetworkDriver, Provider } from '@cortexfs/abi/provider';

/** What the packages send where there is no key: left alone they would look for one in the environment. */
const NO_KEY = 'none';

/**
 * The model of a driver, whose package alone is loaded. `openai-chat` speaks OpenAI's own dialect with OpenAI, and the common one
 * with everybody else.
 */
export async function languageModel(
  driver: NetworkDriver,
  { name, base_url: baseURL }: Provider,
  id: string,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV3> {
  const common = { baseURL, apiKey: key ?? NO_KEY, fetch };
  switch (driver) {
    case 'openai-chat':
      if (isOpenAi(baseURL)) return (await import('@ai-sdk/openai')).createOpenAI(common).chat(id);
      return (await import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({
          baseURL,
          fetch,
          name,
          includeUsage: true,
          ...(key === undefined ? {} : { apiKey: key }),
        })
        .chatModel(id);
    case 'openai-responses':
      return (await import('@ai-sdk/openai')).createOpenAI(common).responses(id);
    case 'anthropic-messages':
      return (await import('@ai-sdk/anthropic')).createAnthropic(common).messages(id);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(common).chat(id);
  }
}

function isOpenAi(baseURL: string): boolean {
  return new URL(baseURL).hostname === 'api.openai.com';
}
