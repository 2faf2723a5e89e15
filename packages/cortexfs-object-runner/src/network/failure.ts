import { APICallError } from '@ai-sdk/provider';
import type { ErrnoName } from '@cortexfs/abi/errno';
import { CortexError } from '@cortexfs/abi/errors';
import { oneLine } from '@cortexfs/abi/terminal-text';

/** An error with what the policy of retries needs to know of it. */
class ProviderFailure extends CortexError {
  readonly retry: boolean;
  readonly afterMs: number | undefined;

  constructor(code: ErrnoName, why: string, retry: boolean, afterMs?: number, hint?: string) {
    super(code, why, { layer: 'model', hint });
    this.retry = retry;
    this.afterMs = afterMs;
  }
}

/** Whether the same call may succeed a moment later. */
export function retryable(error: unknown): boolean {
  return error instanceof ProviderFailure && error.retry;
}

/** How long the provider asks to wait. */
export function retryAfterMs(error: unknown): number | undefined {
  return error instanceof ProviderFailure ? error.afterMs : undefined;
}

/** What went wrong with a request, by errno name (docs/models.md). */
export function failureOf(error: unknown): CortexError {
  if (error instanceof CortexError) return error;
  if (APICallError.isInstance(error)) {
    // What cannot be read is reported by one package as if the provider had refused the request.
    if (/"name":"AI_(JSONParse|TypeValidation)Error"/.test(error.responseBody ?? '')) return broken(error);
    if (error.statusCode !== undefined && error.statusCode >= 400) return refusal(error, error.statusCode);
    return connectionFailure(error.cause) ?? broken(error.cause ?? error);
  }
  return connectionFailure(error) ?? reported(error) ?? broken(error);
}

function refusal(error: APICallError, status: number): CortexError {
  // Providers repeat parts of a key that they refuse.
  if (status === 401 || status === 403)
    return new ProviderFailure(
      'EACCES',
      `the provider refused the key or the permission (HTTP ${status})`,
      false,
      undefined,
      'ctx model add … --key-file FILE replaces the key',
    );
  const why = `the provider answered HTTP ${status}: ${shown(error.message)}`;
  const after = waitOf(error.responseHeaders ?? {});
  if (status === 404) return new ProviderFailure('ENOENT', why, false);
  if (status === 408) return new ProviderFailure('ETIMEDOUT', why, true, after);
  if (status === 413) return new ProviderFailure('EMSGSIZE', why, false);
  if (status === 429)
    return new ProviderFailure(
      'EAGAIN',
      why,
      true,
      after,
      after === undefined ? undefined : `it asks to wait ${Math.ceil(after / 1000)} s`,
    );
  if (status >= 500) return new ProviderFailure('EHOSTDOWN', why, true, after);
  return new ProviderFailure('EINVAL', why, false);
}

/** Seconds or a date, or milliseconds in the header of that name. */
function waitOf(headers: Record<string, string>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers['retry-after'];
  if (after === undefined) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** A fault of the connection, found by the code of the error or of what caused it. */
function connectionFailure(error: unknown): CortexError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) {
      if (/unexpected redirect/.test(cause.message))
        return new ProviderFailure('EPROTO', 'the provider answered with a redirect to another place', false);
      if (cause.message === 'terminated' && cause.cause === undefined)
        return new ProviderFailure('EHOSTDOWN', 'the connection to the provider was cut', true);
      continue;
    }
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
      return new ProviderFailure('ETIMEDOUT', 'no connection to the provider in time', true);
    if (CUT.has(code))
      return new ProviderFailure('EHOSTDOWN', `no connection to the provider: ${code}`, true);
    if (code === 'ENOTFOUND')
      return new ProviderFailure('EHOSTDOWN', 'the name of the provider’s host is not known', false);
    if (/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_|SELF_SIGNED|DEPTH_ZERO)/.test(code))
      return new ProviderFailure('EHOSTDOWN', `no trusted connection to the provider: ${code}`, false);
  }
  return undefined;
}

const CUT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_ABORTED',
  'UND_ERR_PRX_TLS',
]);

/** An error that the provider reports in the middle of its stream: an object, or its text. */
function reported(error: unknown): CortexError | undefined {
  if (error instanceof Error) return undefined;
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  const why = `the provider reported an error: ${shown(messageOf(error) ?? text)}`;
  if (/authentication|permission|unauthori[sz]ed|api.?key/i.test(text))
    return new ProviderFailure('EACCES', 'the provider refused the key or the permission', false);
  if (/rate.?limit|too.many.requests|resource.exhausted/i.test(text))
    return new ProviderFailure('EAGAIN', why, true);
  if (/overloaded|server.?error|api_error|internal|unavailable/i.test(text))
    return new ProviderFailure('EHOSTDOWN', why, true);
  return new ProviderFailure('EPROTO', why, false);
}

function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  return 'error' in error ? messageOf(error.error) : undefined;
}

/** The text of such an error repeats what was received, at length. */
function broken(error: unknown): CortexError {
  const why = error instanceof Error ? shown(error.message) : 'unknown';
  return new ProviderFailure('EPROTO', `invalid output of the provider: ${why}`, false);
}

const LONGEST = 300;

function shown(text: string): string {
  const line = oneLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
