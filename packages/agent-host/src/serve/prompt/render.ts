import type { ObjectName } from '@cortexfs/abi/names';
import { runtimeContract } from './contract.ts';
import type { MessageGroup } from './history.ts';
import { historyText } from './history-text.ts';
import { type InjectedTool, renderInjection } from './injection.ts';
import { renderSkills, type SkillMetadata, skillBudget, skillsLeftOut } from './skills.ts';
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
  /** The skills had to leave, but for a warning. */
  readonly withoutSkills?: boolean;
  /** The tools that tsh has loaded. */
  readonly injected: readonly InjectedTool[];
  /** The conversation so far, for a template that asks for it; a text where there is none to be had. */
  readonly history: readonly MessageGroup[] | string;
  readonly tools: readonly ObjectName[];
  /** Unix time in seconds. */
  readonly now: number;
  /** Characters of the context window, when it is known. */
  readonly windowChars: number | undefined;
}

/** The skills of a prompt within their share of the window. */
export function skillsOf({ skills, windowChars }: Pick<PromptParts, 'skills' | 'windowChars'>): string {
  return renderSkills(skills, skillBudget(windowChars));
}

/** The first system message of a run, and what `ctx agent prompt` shows (docs/prompt.md). Pure. */
export function renderPrompt(parts: PromptParts): string {
  const contract = runtimeContract(parts.tools);
  const filled = fillTemplate(parts.template ?? DEFAULT_TEMPLATE, {
    agent: parts.agent,
    current_time_unix: String(parts.now),
    agent_instructions: parts.instructions ?? '',
    rules: parts.rules,
    skills: parts.withoutSkills ? skillsLeftOut(parts.skills.length) : skillsOf(parts),
    tool_injection: renderInjection(parts.injected),
    history_messages: typeof parts.history === 'string' ? parts.history : historyText(parts.history),
    runtime_contract: contract,
  });
  // The contract is not the template's to leave out.
  return filled.includes(contract) ? filled : `${filled}\n${contract}\n`;
}
