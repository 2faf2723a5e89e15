import type { ObjectName } from '@cortexfs/abi/names';
import { runtimeContract } from './contract.ts';
import { renderSkills, type SkillMetadata, skillBudget } from './skills.ts';
import { DEFAULT_TEMPLATE, fillTemplate } from './template.ts';

/** Everything that the system message is made of; gathering it is the caller's work. */
export interface PromptParts {
  readonly agent: ObjectName;
  /** `prompt.template.md`; the default template when the agent has none. */
  readonly template: string | undefined;
  /** `system.md`. */
  readonly instructions: string | undefined;
  /** Merged AGENTS.md rules. */
  readonly rules: string;
  readonly skills: readonly SkillMetadata[];
  /** Metadata of the tools that tsh has loaded. */
  readonly toolInjection: string;
  /** Only where a template asks for it: the history goes to the model as messages. */
  readonly history: string;
  readonly tools: readonly ObjectName[];
  /** Unix time in seconds. */
  readonly now: number;
  /** Characters of the context window, when it is known. */
  readonly windowChars: number | undefined;
}

/** The first system message of a run, and what `ctx agent prompt` shows (docs/prompt.md). Pure. */
export function renderPrompt(parts: PromptParts): string {
  const contract = runtimeContract(parts.tools);
  const filled = fillTemplate(parts.template ?? DEFAULT_TEMPLATE, {
    agent: parts.agent,
    current_time_unix: String(parts.now),
    agent_instructions: parts.instructions ?? '',
    rules: parts.rules,
    skills: renderSkills(parts.skills, skillBudget(parts.windowChars)),
    tool_injection: parts.toolInjection,
    history_messages: parts.history,
    runtime_contract: contract,
  });
  // The contract is not the template's to leave out.
  return filled.includes(contract) ? filled : `${filled}\n${contract}\n`;
}
