import { quoted } from '../../quote.ts';
import type { AttenuationRequest, Refusal } from '../attenuation.ts';

/**
 * A child is its parent's subject, or one of its own kind: never that of an agent that others have made, for tools let subjects in.
 * Only the type may differ from the parent's label; user, role and level stay.
 */
export function labelRefusals({ parent, child, takenSubjects }: AttenuationRequest): Refusal[] {
  if (child.label.text === parent.label.text) return [];
  const refusals: Refusal[] = [];
  const { subject } = child.label;
  if (takenSubjects.has(subject)) {
    refusals.push({ dimension: 'label', reason: `the subject ${quoted(subject)} is another agent's` });
  }
  if (frame(child.label.text) !== frame(parent.label.text)) {
    refusals.push({
      dimension: 'label',
      reason: `${quoted(child.label.text)} differs in more than the type from ${quoted(parent.label.text)}`,
    });
  }
  return refusals;
}

/** A label without its type. */
function frame(text: string): string {
  const [user, role, , level] = text.split(':');
  return role === undefined ? '' : `${user}:${role}::${level}`;
}
