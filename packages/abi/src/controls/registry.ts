import type { Codec } from './codec.ts';
import { agentControls } from './registry/agent.ts';
import type { ControlEntry } from './registry/entry.ts';
import { modelControls } from './registry/model.ts';
import { toolControls } from './registry/tool.ts';

export type ObjectClass = 'agent' | 'tool' | 'model';

export const OBJECT_CLASSES: readonly ObjectClass[] = ['agent', 'tool', 'model'];

const REGISTRY: Readonly<Record<ObjectClass, Readonly<Record<string, ControlEntry>>>> = {
  agent: agentControls,
  tool: toolControls,
  model: modelControls,
};

/** All known controls of a class, in the order of the documentation. A file of another name is no control. */
export function controlNames(objectClass: ObjectClass): string[] {
  return Object.keys(REGISTRY[objectClass]);
}

/** What is known of a control, or undefined. */
export function controlEntry(objectClass: ObjectClass, control: string): ControlEntry | undefined {
  const entries = REGISTRY[objectClass];
  return Object.hasOwn(entries, control) ? entries[control] : undefined;
}

/** The codec that reads and checks a control, or undefined when the class has no such control. */
export function codecFor(objectClass: ObjectClass, control: string): Codec<unknown> | undefined {
  return controlEntry(objectClass, control)?.codec;
}
