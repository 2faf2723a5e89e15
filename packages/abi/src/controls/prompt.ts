import { text } from './text.ts';

/** `agent/NAME.d/system.md`: who the agent is, as text for the model; grants nothing (docs/controls.md). */
export const system = text;

/** `agent/NAME.d/prompt.template.md`: the first system message, with `{{name}}` variables (docs/controls.md). */
export const promptTemplate = text;
