import { CortexError } from './errors.ts';
import { isObjectName } from './names.ts';
import { quoted } from './quote.ts';

/** A security label: `user_u:agent_r:coder_t:s0` with subject `coder_t`, or one plain name, its own subject. */
export interface Label {
  text: string;
  /** The name that policy rules speak of. */
  subject: string;
}

/**
 * Reads a label (docs/policy.md): exactly four fields with `:` between them, each a plain name, or one
 * plain name. Throws EINVAL.
 */
export function parseLabel(text: string): Label {
  const fields = text.split(':');
  const subject = fields.length === 4 ? fields[2] : fields[0];
  if ((fields.length !== 4 && fields.length !== 1) || subject === undefined || !fields.every(isObjectName)) {
    throw new CortexError('EINVAL', `label must be user:role:type:level or one name, got ${quoted(text)}`, {
      layer: 'label',
      hint: 'write for example user_u:agent_r:coder_t:s0',
    });
  }
  return { text, subject };
}

export function formatLabel(label: Label): string {
  return label.text;
}

/** The subject of a label's text. Throws EINVAL. */
export function subjectOf(labelText: string): string {
  return parseLabel(labelText).subject;
}
