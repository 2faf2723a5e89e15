import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { CortexError } from '@cortexfs/abi/errors';
import { MODEL_ENVIRONMENT } from '@cortexfs/abi/model-environment';
import { isAlive, startTimeOf } from '@cortexfs/linux/process';
import type { RoleCommand, RoleProcess } from './role-process.ts';
import { systemd, unitFacts } from './systemctl.ts';

/** What all processes of one unit may use together, where the kernel has the controllers (docs/instances.md). */
const LIMITS = [
  'MemoryMax=50%',
  'TasksMax=2048',
  `CPUQuota=${availableParallelism() * 90}%`,
  // Sandboxes get control groups of their own below the unit's.
  'Delegate=yes',
];
/** The manager's own patience after SIGTERM, as long as ours. */
const STOPPING = ['TimeoutStopSec=3', 'KillMode=control-group', 'SendSIGHUP=no'];
/**
 * Starts a role as a transient unit of this user's systemd. It reports its error in a file beside its log.
 * @throws CortexError EBUSY when a unit of that name runs already, EHOSTDOWN when the manager does not start it.
 */
export async function startUnit(unit: string, { argv, command, log }: RoleCommand): Promise<RoleProcess> {
  const reportFile = `${log}.report`;
  rmSync(reportFile, { force: true });
  // A unit that failed is remembered under its name until somebody asks.
  await systemd('systemctl', ['reset-failed', '--', unit]);
  const { code, err } = await systemd('systemd-run', [
    '--quiet',
    '--collect',
    `--unit=${unit}`,
    `--description=CortexFS ${unit.replace(/\.service$/, '')}`,
    ...[...LIMITS, ...STOPPING, 'Type=exec', 'WorkingDirectory=/', 'UMask=0077'].flatMap(property),
    ...[`StandardOutput=append:${log}`, `StandardError=append:${log}`].flatMap(property),
    // The manager's environment is not ours: where a role looks, and what its models need, is passed on.
    ...MODEL_ENVIRONMENT.flatMap((name) => (process.env[name] ? [`--setenv=${name}`] : [])),
    '--',
    ...[process.execPath, ...argv, '--unit', unit, '--report-file', reportFile, ...command].map(literally),
  ]);
  const facts = await unitFacts(unit);
  if (code !== 0) throw notStarted(unit, err, facts?.active ?? false);
  const pid = facts?.pid ?? 0;
  const startTime = startTimeOf(pid);
  return {
    pid,
    ended: () => startTime === undefined || !isAlive(pid, startTime),
    async kill() {
      await systemd('systemctl', ['kill', '--signal=SIGKILL', '--', unit]);
      await systemd('systemctl', ['stop', '--', unit]);
    },
    report: async () => takeReport(reportFile),
    release: () => rmSync(reportFile, { force: true }),
  };
}

/** The manager replaces `$NAME` in a unit's command line by its own environment; `$$` is one `$`. */
function literally(word: string): string {
  return word.replaceAll('$', '$$$$');
}

function property(value: string): string[] {
  return ['--property', value];
}

function takeReport(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  } finally {
    rmSync(file, { force: true });
  }
}

function notStarted(unit: string, why: string, active: boolean): CortexError {
  return active
    ? new CortexError('EBUSY', `the unit ${unit} runs already, for another store or mount`, {
        layer: 'runtime',
        hint: `systemctl --user status ${unit}; or --supervisor direct`,
      })
    : new CortexError('EHOSTDOWN', `systemd did not start ${unit}: ${why.split('\n')[0]}`, {
        layer: 'runtime',
        hint: 'systemctl --user status; or --supervisor direct',
      });
}
