import { CortexError } from '@cortexfs/abi/errors';
import { MAX_CONTEXT_BYTES } from '@cortexfs/abi/invocation';
import type { ModelMessage } from '@cortexfs/abi/model-io';
import type { ToolResultPart } from '../session/stored-message.ts';
import { callGroup, jsonBytes, type MessageGroup } from './history.ts';

/** Room for the brackets of the array. */
const BRACKETS = 2;

/** The system message, and how it gives way to the window. */
export interface SystemText {
  readonly text: string;
  /** False when nothing of it may leave any more. */
  shrink(): boolean;
}

/**
 * The conversation of one run as its steps get it in `history_messages` (docs/run.md, "History"). The oldest messages
 * leave first when it grows over its budget, then what the system message can do without; the rest of it, the user's
 * input and the latest call never leave.
 */
export class Transcript {
  readonly #prompt: SystemText;
  readonly #input: MessageGroup;
  readonly #budget: number;
  #past: MessageGroup[];
  #calls: MessageGroup[] = [];

  /** `inputChars` is what the window leaves for the whole input; undefined when it is unknown. */
  constructor(prompt: SystemText, past: MessageGroup[], input: string, inputChars: number | undefined) {
    this.#prompt = prompt;
    this.#past = past;
    this.#input = [{ role: 'user', content: input }];
    this.#budget = inputChars ?? Number.POSITIVE_INFINITY;
  }

  /** Adds a finished call; `text` is what the agent said before it. */
  addCall(text: string, result: ToolResultPart): void {
    this.#calls.push(callGroup(text, result));
  }

  /** `history_messages` of the next step. EMSGSIZE when even the part that must stay is too long. */
  render(): string {
    while (!this.#fits()) {
      if (this.#past.length > 0) this.#past = this.#past.slice(1);
      else if (this.#calls.length > 1) this.#calls = this.#calls.slice(1);
      else if (!this.#prompt.shrink()) throw this.#tooLong();
    }
    return JSON.stringify(this.#history());
  }

  #fits(): boolean {
    return this.#excess() <= 0;
  }

  /** Bytes over the nearer of both limits: the envelope's for the history, the window's for all that the model gets. */
  #excess(): number {
    const history = BRACKETS + jsonBytes(this.#history());
    return Math.max(history - MAX_CONTEXT_BYTES, history + jsonBytes(this.#newest()) - this.#budget);
  }

  #history(): ModelMessage[] {
    const system: ModelMessage = { role: 'system', content: this.#prompt.text };
    const before = [system, ...this.#past.flat()];
    if (this.#calls.length === 0) return before;
    const calls = this.#calls.flat();
    // The last result is the observation, which the step gets apart from the history.
    return [...before, ...this.#input, ...calls.slice(0, -1)];
  }

  /** What the step adds by itself: the input, later the observation. */
  #newest(): MessageGroup {
    return this.#calls.at(-1)?.slice(-1) ?? this.#input;
  }

  #tooLong(): CortexError {
    const why = 'system text, rules and the current input alone are longer than the context window allows';
    return new CortexError('EMSGSIZE', `${why}, by ${this.#excess()} bytes`, { layer: 'window' });
  }
}
