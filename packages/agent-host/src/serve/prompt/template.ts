/** The variables of a prompt template (docs/prompt.md). */
export type PromptVariable =
  | 'agent'
  | 'current_time_unix'
  | 'agent_instructions'
  | 'rules'
  | 'skills'
  | 'tool_injection'
  | 'history_messages'
  | 'runtime_contract';

export const DEFAULT_TEMPLATE = `You are {{agent}}, an agent on CortexFS. The time is {{current_time_unix}} (Unix seconds).

{{agent_instructions}}

{{rules}}

{{skills}}

{{tool_injection}}

{{runtime_contract}}
`;

/**
 * Puts values in place of `{{name}}`. Values are inserted as they are: what stands in them is never expanded again.
 * Unknown names stay. Lines that become empty leave at most one blank line.
 */
export function fillTemplate(template: string, values: Readonly<Record<PromptVariable, string>>): string {
  const filled = template.replace(/\{\{([a-z_]+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as PromptVariable].trim() : whole,
  );
  return `${filled.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
