import { CortexError, describeError } from '@cortexfs/abi/errors';
import type { Provider } from '@cortexfs/abi/provider';
import type { Place } from '@cortexfs/linux/place';
import { readProviders } from '@cortexfs/linux/providers';
import { readSecret } from '@cortexfs/linux/secret';
import { presetOf } from '../../model/presets.ts';
import { type Finding, fail, ok, warn } from '../check.ts';

/** The configuration of each provider, and whether its key is private; no provider is asked anything. */
export function checkProviders(place: Place): Finding[] {
  const found = readProviders(place);
  if (found.length === 0) return [ok('providers', 'none; ctx model add gives agents a real model')];
  return found.map((entry) =>
    entry instanceof CortexError
      ? fail('providers', describeError(entry), `mend or remove ${entry.path}`)
      : checkKey(place, entry),
  );
}

function checkKey({ secrets }: Place, { name, base_url, enabled = true }: Provider): Finding {
  try {
    const key = readSecret(secrets, name) !== undefined;
    if (!enabled)
      return warn('providers', `${name} is not enabled`, `"enabled": true in providers.d/${name}.json`);
    if (!key && presetOf(name)?.key)
      return warn('providers', `${name} has no key`, `ctx model add ${name} --key-file FILE`);
    return ok('providers', `${name}: ${base_url}${key ? ', with a key' : ''}`);
  } catch (error) {
    if (!(error instanceof CortexError)) throw error;
    return fail('providers', describeError(error), error.hint ?? 'look at it');
  }
}
