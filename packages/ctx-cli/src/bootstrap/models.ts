/** The offline models that every store has: controls by name. See docs/models.md. */
export const offlineModels = {
  'debug/echo': controls('echo', 'chat\nstream\n'),
  'debug/script': controls('script', 'chat\nstream\ntool_call_syntax\n'),
} as const;

/** Aliases beside the providers, as [name, model]. */
export const modelAliases = [
  ['main', 'debug/script'],
  ['helper', 'debug/script'],
] as const;

function controls(id: string, cap: string): Record<string, string> {
  return {
    id: `${id}\n`,
    driver: 'debug\n',
    cap,
    effort: 'auto\n',
    default: '',
    fallback: '',
    limit: 'unknown\n',
    session: 'none\n',
    status: 'ready\n',
    log: '',
  };
}
