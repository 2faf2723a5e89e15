import { MAX_CONTEXT_BYTES } from '@cortexfs/abi/invocation';
import { cutUtf8 } from '../run/observation.ts';
import { renderInjection, withoutLast } from './injection.ts';
import { type PromptParts, renderPrompt } from './render.ts';

/** The system message of a run, which can become shorter when the window asks for it (docs/prompt.md, "Window"). */
export class Prompt {
  #parts: PromptParts;
  #text: string | undefined;

  constructor(parts: PromptParts) {
    this.#parts = parts;
  }

  get text(): string {
    this.#text ??= renderPrompt(this.#parts);
    return this.#text;
  }

  /** The loaded tools by themselves, as steps get them in `tool_context`. */
  get toolContext(): string {
    return cutUtf8(renderInjection(this.#parts.injected), MAX_CONTEXT_BYTES);
  }

  /** Whether the template takes the history into the system message: then it is not sent as messages as well. */
  get holdsHistory(): boolean {
    return this.#parts.template?.includes('{{history_messages}}') ?? false;
  }

  /**
   * Leaves out the next part that may go: the oldest of the history, the unpinned tool that would go first, the skills.
   * False when only what must stay is left.
   */
  shrink(): boolean {
    const smaller = smallerThan(this.#parts, this.holdsHistory);
    if (smaller === undefined) return false;
    this.#parts = { ...this.#parts, ...smaller };
    this.#text = undefined;
    return true;
  }
}

function smallerThan(parts: PromptParts, holdsHistory: boolean): Partial<PromptParts> | undefined {
  const { history, injected, skills } = parts;
  if (holdsHistory && typeof history !== 'string' && history.length > 0) return { history: history.slice(1) };
  const fewer = withoutLast(injected);
  if (fewer !== undefined) return { injected: fewer };
  return skills.length > 0 && !parts.withoutSkills ? { withoutSkills: true } : undefined;
}
