import type { Invocation } from '../command/command.ts';
import type { Finding } from '../doctor/check.ts';
import { checkInstallation } from '../doctor/checks/installation.ts';
import { checkMachine } from '../doctor/checks/machine.ts';

/** `ctx doctor`: one line a check, with the command that mends it. Exit 1 on any fail. */
export async function run({ json, root }: Invocation): Promise<number> {
  const findings = [...checkMachine(), ...checkInstallation(root)];
  if (json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else for (const finding of findings) process.stdout.write(line(finding));
  return findings.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
}

function line({ check, verdict, detail, mend }: Finding): string {
  const mending = mend && verdict !== 'ok' ? `\n${' '.repeat(22)}mend: ${mend}` : '';
  return `${verdict.padEnd(5)} ${check.padEnd(15)} ${detail}${mending}\n`;
}
