import { modelControlTexts } from '../model/controls.ts';

/** The offline models that every store has: controls by name. See docs/models.md. */
export const offlineModels = {
  'debug/echo': modelControlTexts({ id: 'echo', driver: 'debug', cap: 'chat\nstream\n' }),
  'debug/script': modelControlTexts({
    id: 'script',
    driver: 'debug',
    cap: 'chat\nstream\ntool_call_syntax\n',
  }),
} as const;

/** Aliases beside the providers, as [name, model]. */
export const modelAliases = [
  ['main', 'debug/script'],
  ['helper', 'debug/script'],
] as const;
