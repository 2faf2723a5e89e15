import type { ErrnoName, ExitCode } from '@cortexfs/abi/errno';
import { exitCodeOf } from '@cortexfs/abi/errno';
import { CortexError, errorLines } from '@cortexfs/abi/errors';
import { oneLine } from '@cortexfs/abi/terminal-text';
import type { InvalidCandidate } from './candidate.ts';
import type { ObjectReport } from './object.ts';

/** Prints what is wrong with a candidate; returns the exit code. */
export function printInvalid(report: InvalidCandidate, json: boolean): ExitCode {
  if (json) process.stdout.write(`${JSON.stringify(jsonReport(report))}\n`);
  else process.stderr.write(humanReport(report).stderr);
  return exitCodeFor(report);
}

/** For people: `valid …` on stdout, or one line a fault on stderr, with what to do where that is known. */
export function humanReport(report: ObjectReport): { stdout: string; stderr: string } {
  if (!report.valid) {
    const lines = report.faults.map(({ at, code, message, line, hint }) => {
      const path = at === '' ? report.file : `${report.file}: ${at}`;
      return errorLines('object-installer', new CortexError(code, message, { path, line, hint }));
    });
    return { stdout: '', stderr: lines.join('') };
  }
  const { manifest, size } = report;
  const facts = [
    `valid ${manifest.class}/${manifest.name}`,
    ...(manifest.compatibility === undefined
      ? []
      : [`version ${manifest.compatibility.version}`, `cortexfs "${manifest.compatibility.cortexfs}"`]),
    `sha256 ${manifest.executable.sha256}`,
    `size ${size}`,
  ];
  return { stdout: `${oneLine(facts.join(' '))}\n`, stderr: '' };
}

/** For programs (docs/object-installer.md): always one JSON document. */
export function jsonReport(report: ObjectReport): object {
  if (!report.valid)
    return { valid: false, manifest: report.file, faults: report.faults, exit_code: exitCodeFor(report) };
  const { manifest, size, file } = report;
  return {
    valid: true,
    manifest: file,
    schema: manifest.schema,
    class: manifest.class,
    name: manifest.name,
    ...(manifest.compatibility === undefined
      ? {}
      : {
          object_version: manifest.compatibility.version,
          cortexfs_requirement: manifest.compatibility.cortexfs,
        }),
    executable: { ...manifest.executable, size },
    controls: [...manifest.controls.keys()],
  };
}

/**
 * 0 without a fault. 2 as soon as one fault lies in the object itself, because then no permission would make it
 * valid; else 13 or 70 for what kept the check from looking.
 */
export function exitCodeFor(report: ObjectReport): ExitCode {
  if (report.valid) return 0;
  const codes = report.faults.map(({ code }) => faultExitCode(code));
  return codes.find((code) => code === 2) ?? codes.find((code) => code === 13) ?? 70;
}

/** A missing file or a link where a file belongs is bad input, like a bad value. */
function faultExitCode(code: ErrnoName): ExitCode {
  const exitCode = exitCodeOf(code);
  return exitCode === 1 ? 2 : exitCode;
}
