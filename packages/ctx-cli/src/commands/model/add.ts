import { CortexError, describeError } from '@cortexfs/abi/errors';
import type { ModelId } from '@cortexfs/abi/names';
import type { Provider } from '@cortexfs/abi/provider';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { findPlace, type Place } from '@cortexfs/linux/place';
import { parseKey, readSecret, writeSecret } from '@cortexfs/linux/secret';
import { flag, type Invocation } from '../../command/command.ts';
import { extended, ownProviders, writeProvider } from '../../model/configuration.ts';
import { readKeyFile } from '../../model/key-file.ts';
import { modelsPlace } from '../../model/place.ts';
import { projectModel, requireFree, setAlias } from '../../model/projection.ts';
import { serverModels } from '../../model/server-models.ts';
import { triedAs, triedJson } from '../../model/try-call.ts';
import { asksForAlias, misuse, type Wanted, wantedOf } from '../../model/wanted.ts';

/**
 * `ctx model add`: writes the provider's configuration and key, projects its models into the store, and tries the first one at once.
 * When that call fails everything stays, and the exit code is the call's.
 */
export async function run(invocation: Invocation): Promise<number> {
  const place = modelsPlace(findPlace(invocation.root));
  const known = ownProviders(place);
  const wanted = wantedOf(invocation, known);
  const before = known.find(({ name }) => name === wanted.provider.name);
  const key = wanted.keyFile === undefined ? undefined : keyFrom(wanted.keyFile);
  if (key === undefined) requireKey(place, wanted);
  const models = await modelsOf(wanted, before);
  const provider = extended(before, wanted.provider, models, wanted.limit);
  for (const id of models) requireFree(place.store, provider, id, known);
  if (key !== undefined) writeSecret(place.secrets, provider.name, key);
  writeProvider(place, provider);
  const names = models.map((id) => projectModel(place.store, provider, id));
  const aliases = asksForAlias(invocation);
  for (const alias of aliases) setAlias(place.store, alias, names[0]!);
  return report(invocation, place, provider, names, aliases);
}

async function report(
  invocation: Invocation,
  place: Place,
  provider: Provider,
  names: readonly ModelId[],
  aliases: readonly string[],
): Promise<number> {
  const { json } = invocation;
  const say = (line: string) => void (json || process.stdout.write(`${line}\n`));
  say(`provider ${provider.name}: ${provider.base_url} (${provider.driver})`);
  for (const name of names) say(`added    ${name}`);
  for (const alias of aliases) say(`alias    ${alias} -> ${names[0]}`);
  const tried = flag(invocation, 'no-try') ? undefined : await triedAs(place, names[0]!);
  if (json) {
    const result = { provider, models: names, aliases, ...(tried ? { call: triedJson(tried) } : {}) };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  if (tried === undefined) return 0;
  if (tried.ok) {
    say(`it says  ${oneLine(tried.answer).slice(0, 200)}`);
    if (aliases.length === 0) say(`agents use it with: ctx model add ${provider.name} --model ID --main`);
    return 0;
  }
  const { failure } = tried;
  if (!json)
    process.stderr.write(
      `ctx: the first call failed: ${describeError(failure)}\nhint: ${failure.hint ? `${oneLine(failure.hint)}; ` : ''}all of it is kept; ctx model check ${names[0]} tries again\n`,
    );
  return failure.exitCode;
}

function keyFrom(file: string): string {
  return parseKey(readKeyFile(file), file === '-' ? 'standard input' : file);
}

function requireKey(place: Place, { preset, provider }: Wanted): void {
  if (!preset?.key || readSecret(place.secrets, provider.name) !== undefined) return;
  throw new CortexError('EINVAL', `${provider.name} answers nobody without a key`, {
    layer: 'credentials',
    hint: `ctx model add ${provider.name} --key-file FILE, or - for standard input`,
  });
}

async function modelsOf(wanted: Wanted, before: Provider | undefined): Promise<readonly string[]> {
  if (wanted.models.length > 0) return [...new Set(wanted.models)];
  if (before !== undefined) return before.models;
  if (wanted.preset?.listed ?? true) return await serverModels(wanted.provider);
  throw misuse('name a model as the provider does: --model MODEL');
}
