import type { AgentReply } from '@cortexfs/abi/frames/agent-reply';
import { ControlStripper, oneLine } from '@cortexfs/abi/terminal-text';

/** Where text goes; a process stream or a test's list. */
export type Sink = (text: string) => unknown;

/** Prints the assistant's text as it arrives, each text once, and says on the side which tools were called. */
export class AnswerStream {
  readonly #answer: Sink;
  readonly #aside: Sink;
  readonly #stripper = new ControlStripper();
  /** Whether the text of the message to come was streamed already. */
  #streamed = false;
  #lineOpen = false;

  constructor(answer: Sink, aside: Sink) {
    this.#answer = answer;
    this.#aside = aside;
  }

  take(reply: AgentReply): void {
    if (reply.type === 'delta') {
      this.#streamed = true;
      this.#print(this.#stripper.push(reply.text));
    } else if (reply.type === 'message' && reply.role === 'assistant') {
      if (!this.#streamed) this.#print(this.#stripper.push(reply.content.map((part) => part.text).join('')));
      this.#streamed = false;
      this.end();
    } else if (reply.type === 'tool_call') {
      this.end();
      this.#streamed = false;
      this.#aside(`· ${reply.name} ${oneLine(JSON.stringify(reply.arguments))}\n`);
    }
  }

  /** Ends an open line. */
  end(): void {
    this.#stripper.end();
    if (this.#lineOpen) this.#print('\n');
  }

  #print(text: string): void {
    if (text === '') return;
    this.#answer(text);
    this.#lineOpen = !text.endsWith('\n');
  }
}
