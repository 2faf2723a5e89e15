import type { JSONSchema7, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ModelInput } from '@cortexfs/abi/model-io';
import { isObjectName, type ObjectName, parseObjectName } from '@cortexfs/abi/names';

/** Most that a provider takes as the name of a tool. */
const LONGEST = 64;

/**
 * Names of tools as providers take them: letters, digits, `_` and `-`. Each name of a conversation has one of its own, and
 * what a model calls leads back.
 */
export class ToolNames {
  readonly #wire = new Map<string, string>();
  readonly #own = new Map<string, ObjectName>();

  /** Names of the offered tools, then of those that the conversation speaks of. */
  constructor({ messages, tools = [] }: ModelInput) {
    for (const { name } of tools) this.#add(name);
    for (const { content } of messages)
      if (typeof content !== 'string') for (const part of content) if ('name' in part) this.#add(part.name);
  }

  wire(name: ObjectName): string {
    return this.#wire.get(name) ?? plain(name);
  }

  /** What the model means; undefined when it cannot be the name of any tool. */
  own(wire: string): ObjectName | undefined {
    return this.#own.get(wire) ?? (isObjectName(wire) ? wire : undefined);
  }

  tools({ tools = [] }: ModelInput): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
    if (tools.length === 0) return {};
    return {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function',
        name: this.wire(name),
        description,
        inputSchema: schema as JSONSchema7,
      })),
      toolChoice: { type: 'auto' },
    };
  }

  #add(name: ObjectName): void {
    if (this.#wire.has(name)) return;
    let wire = plain(name);
    for (let number = 2; this.#own.has(wire); number++) {
      const ending = `_${number}`;
      wire = `${plain(name).slice(0, LONGEST - ending.length)}${ending}`;
    }
    this.#wire.set(name, wire);
    this.#own.set(wire, name);
  }
}

/** A name that stands for what a model called and no tool can be named. */
export function closestName(wire: string): ObjectName {
  const name = plain(wire)
    .replace(/^[^a-zA-Z0-9]+/, '')
    .slice(0, LONGEST);
  return parseObjectName(isObjectName(name) ? name : 'unknown');
}

function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}
