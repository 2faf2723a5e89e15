import type { LaunchReceipt } from '@cortexfs/abi/receipt/launch';
import { systemd, unitFacts } from './systemctl.ts';

/** Ends whatever is left of the very invocation of a unit that a receipt is about; another one is left alone. */
export async function endUnit({ unit, invocation }: LaunchReceipt): Promise<void> {
  if (unit === null || invocation === null) return;
  const facts = await unitFacts(unit);
  if (!facts?.active || facts.invocation !== invocation) return;
  await systemd('systemctl', ['kill', '--signal=SIGKILL', '--', unit]);
  await systemd('systemctl', ['stop', '--', unit]);
}
