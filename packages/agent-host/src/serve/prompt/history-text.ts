import type { MessageGroup } from './history.ts';

/** Messages as lines of text, for a template that asks for them. */
export function historyText(groups: readonly MessageGroup[]): string {
  return groups
    .flat()
    .map(({ role, content }) => {
      if (typeof content === 'string') return `${role}: ${content}`;
      const parts = content.map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type === 'tool_call') return `calls ${part.name} ${JSON.stringify(part.arguments)}`;
        return `${part.name} ${part.status}: ${part.content}`;
      });
      return `${role}: ${parts.join('\n')}`;
    })
    .join('\n');
}
