import type { NetworkDriver } from '@cortexfs/abi/provider';

/** A provider that `ctx model add` knows by name. */
export interface Preset {
  readonly base_url: string;
  readonly driver: NetworkDriver;
  /** Whether it answers nobody without a key. */
  readonly key: boolean;
  /** Whether it is asked which models it has when none is named: a server of one's own has few. */
  readonly listed: boolean;
}

const hosted = { key: true, listed: false } as const;
const local = { driver: 'openai-chat', key: false, listed: true } as const;

export const PRESETS: Readonly<Record<string, Preset>> = {
  openai: { base_url: 'https://api.openai.com/v1', driver: 'openai-responses', ...hosted },
  anthropic: { base_url: 'https://api.anthropic.com/v1', driver: 'anthropic-messages', ...hosted },
  google: { base_url: 'https://generativelanguage.googleapis.com/v1beta', driver: 'google', ...hosted },
  openrouter: { base_url: 'https://openrouter.ai/api/v1', driver: 'openai-chat', ...hosted },
  ollama: { base_url: 'http://127.0.0.1:11434/v1', ...local },
  'llama-cpp': { base_url: 'http://127.0.0.1:8080/v1', ...local },
};

export function presetOf(name: string): Preset | undefined {
  return Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
}
