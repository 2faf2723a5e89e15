import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';

export interface Network {
  readonly fetch: typeof globalThis.fetch;
  /** Ends what is still connected. */
  close(): Promise<void>;
}

/**
 * HTTP through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, with a limit on how long a connection may take. Other limits
 * are the caller's. A redirect is an error: it would take a key to a place that nobody configured.
 */
export function openNetwork(connectTimeoutMs: number): Network {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const open = (input: Parameters<typeof undiciFetch>[0], init?: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher, redirect: 'error' });
  return {
    fetch: open as unknown as typeof globalThis.fetch,
    close: () => dispatcher.destroy(),
  };
}
