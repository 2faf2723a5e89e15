import { CortexError } from '@cortexfs/abi/errors';
import { isJsonObject, type JsonValue, parseJson } from '@cortexfs/abi/json';
import type { Provider } from '@cortexfs/abi/provider';

const PATIENCE_MS = 10_000;
const MOST_BYTES = 1024 * 1024;

/** The ids that an OpenAI-compatible server lists at `/models`. */
export async function serverModels({
  name,
  base_url,
}: Pick<Provider, 'name' | 'base_url'>): Promise<string[]> {
  const ids = idsIn(await listing(name, base_url));
  if (ids.length > 0) return ids;
  throw new CortexError('ENOENT', `${base_url} lists no model`, {
    layer: 'model',
    hint: `name one: ctx model add ${name} --model MODEL`,
  });
}

async function listing(name: string, base_url: string): Promise<JsonValue> {
  try {
    const response = await fetch(`${base_url}/models`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const text = await response.text();
    if (text.length > MOST_BYTES) throw new Error('its list of models is too long');
    return parseJson(text);
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    const why = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw new CortexError('EHOSTDOWN', `${base_url} does not tell its models: ${why}`, {
      layer: 'model',
      hint: `start the server, or name a model: ctx model add ${name} --model MODEL`,
    });
  }
}

function idsIn(list: JsonValue): string[] {
  const data = isJsonObject(list) ? list['data'] : undefined;
  if (!Array.isArray(data)) return [];
  return (data as readonly JsonValue[]).flatMap((item) =>
    isJsonObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  );
}
