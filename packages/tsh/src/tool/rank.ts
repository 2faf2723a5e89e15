import type { ToolDescription } from './describe.ts';

/** The tools that fit every term, best first; of equals in name order. */
export function ranked(tools: readonly ToolDescription[], terms: readonly string[]): ToolDescription[] {
  const wanted = terms.map((term) => term.toLowerCase());
  return tools
    .map((tool) => ({ tool, scores: wanted.map((term) => score(tool, term)) }))
    .filter(({ scores }) => scores.every((points) => points > 0))
    .map(({ tool, scores }) => ({ tool, points: scores.reduce((sum, points) => sum + points, 0) }))
    .sort((a, b) => b.points - a.points || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

/** A name says more than a description, a description more than a schema; a whole word more than a part of one. */
function score({ name, description, schema }: ToolDescription, term: string): number {
  return (
    fit(name.toLowerCase(), term, 100) +
    fit(description.toLowerCase(), term, 20) +
    fit(schema.toLowerCase(), term, 4)
  );
}

function fit(text: string, term: string, points: number): number {
  if (text === term) return points * 3;
  if (text.split(/[^\p{L}\p{N}]+/u).includes(term)) return points * 2;
  return text.includes(term) ? points : 0;
}
