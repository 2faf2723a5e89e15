/** The controls that a model begins with, by name (docs/models.md). */
export function modelControlTexts({
  id,
  driver,
  cap,
  limit = 'unknown',
}: {
  id: string;
  driver: string;
  cap: string;
  limit?: number | 'unknown';
}): Record<string, string> {
  return {
    id: `${id}\n`,
    driver: `${driver}\n`,
    cap,
    effort: 'auto\n',
    default: '',
    fallback: '',
    limit: `${limit}\n`,
    session: 'none\n',
    status: 'ready\n',
    log: '',
  };
}
