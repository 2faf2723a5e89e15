import { spawn } from 'node:child_process';
import { SetupFailure } from './failure.mjs';

/**
 * Runs a program to its end. `quiet` keeps its output and shows the tail only when it fails;
 * otherwise its standard output goes to our standard error.
 * Resolves with { code, output }; throws SetupFailure when it fails and `check` is not false.
 */
export function run(file, args, { cwd, env, quiet = false, check = true, hint, input = 'ignore' } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = quiet ? [input, 'pipe', 'pipe'] : [input, 2, 2];
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output = (output + chunk).slice(-20_000);
      });
    }
    child.on('error', (error) =>
      reject(new SetupFailure(file, error.code === 'ENOENT' ? 'not found' : error.message, hint)),
    );
    child.on('close', (code, signal) => {
      if (signal === 'SIGINT' || code === 130) process.exit(130);
      if (code === 0 || !check) return resolve({ code: code ?? 128, output });
      const tail = output.trim().split('\n').slice(-15).join('\n');
      if (tail) process.stderr.write(`\n${tail}\n`);
      reject(
        new SetupFailure([file, ...args].join(' '), signal ? `ended by ${signal}` : `exit ${code}`, hint),
      );
    });
  });
}
