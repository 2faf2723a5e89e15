import { setTimeout as delay } from 'node:timers/promises';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { CortexError } from '@cortexfs/abi/errors';
import { failureOf, retryAfterMs, retryable } from './failure.ts';

export interface Attempt {
  readonly call: LanguageModelV3CallOptions;
  /** From the request to the first thing that the model says. */
  readonly firstTokenMs: number;
  /** Between two things that it says. */
  readonly stallMs: number;
  /** What all waits before retries may take together. */
  readonly retryBudgetMs: number;
  /** About the wait before the first retry. */
  readonly retryDelayMs: number;
}

const MOST_RETRIES = 2;

/**
 * What a model says to one call. Until it has said anything, a call that failed for a while is made again, at most twice, after a jittered
 * wait or the one that the provider asks for: if that is longer than what is left of the budget, the failure stands.
 */
export async function* attempts(
  model: LanguageModelV3,
  attempt: Attempt,
): AsyncGenerator<LanguageModelV3StreamPart> {
  let budget = attempt.retryBudgetMs;
  for (let retries = 0; ; retries++) {
    let begun = false;
    try {
      for await (const part of once(model, attempt)) {
        begun ||= speaks(part);
        yield part;
      }
      return;
    } catch (error) {
      if (begun || retries === MOST_RETRIES || !retryable(error)) throw error;
      const wait = retryAfterMs(error) ?? attempt.retryDelayMs * 2 ** retries * (0.5 + Math.random());
      if (wait > budget) throw error;
      budget -= wait;
      await delay(wait);
    }
  }
}

/** One request, ended when it takes too long. A part that reports an error is thrown. */
async function* once(
  model: LanguageModelV3,
  { call, firstTokenMs, stallMs }: Attempt,
): AsyncGenerator<LanguageModelV3StreamPart> {
  const clock = new Clock();
  try {
    clock.set(firstTokenMs, 'the model said nothing');
    const { stream } = await model.doStream({ ...call, abortSignal: clock.signal });
    for await (const part of stream) {
      if (part.type === 'error') throw part.error;
      clock.spoken ||= speaks(part);
      if (clock.spoken) clock.set(stallMs, 'the model stopped in the middle of its answer');
      yield part;
    }
  } catch (error) {
    throw clock.expired ?? failureOf(error);
  } finally {
    clock.stop();
  }
}

class Clock {
  spoken = false;
  expired: CortexError | undefined;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  set(ms: number, what: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.expired = new CortexError('ETIMEDOUT', `${what} for ${ms / 1000} s`, { layer: 'model' });
      this.#abort.abort();
    }, ms);
  }

  /** Also what is still being received. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }
}

/** Whether the model itself has said something with it. */
function speaks({ type }: LanguageModelV3StreamPart): boolean {
  return SPEECH.has(type);
}

const SPEECH: ReadonlySet<string> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
  'tool-call',
  'finish',
]);
