import { parseModelName, parseObjectName } from '@cortexfs/abi/names';
import type { Invocation } from '../command/command.ts';

/** `ctx validate-name NAME`: whether an object may be called so, `provider/model` for a model; EINVAL with the reason otherwise. */
export async function run({ operands, json }: Invocation): Promise<number> {
  const [name = ''] = operands;
  const kind = name.includes('/') ? 'model' : 'object';
  if (kind === 'model') parseModelName(name);
  else parseObjectName(name);
  process.stdout.write(
    json ? `${JSON.stringify({ name, kind, valid: true })}\n` : `valid ${kind} name ${name}\n`,
  );
  return 0;
}
