import { text } from 'node:stream/consumers';
import { loadDefinition } from '../../src/definition/load.ts';
import { launchSandboxed } from '../../src/sandbox/launch.ts';
import type { BeforeRelease, SandboxSpec } from '../../src/sandbox/spec.ts';
import { CODER, DEFAULT, type TestSite } from '../site.ts';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  notes: readonly string[];
}

export function specOf(
  site: TestSite,
  argv: SandboxSpec['argv'],
  more: Partial<SandboxSpec> = {},
): SandboxSpec {
  const { root, store, workspace } = site;
  return {
    definition: loadDefinition(store, CODER),
    root,
    store,
    session: DEFAULT,
    workspace,
    argv,
    stdio: 'pipe',
    ...more,
  };
}

/** Runs a shell script in the site's sandbox to its end. */
export async function runScript(
  site: TestSite,
  script: string,
  more: Partial<SandboxSpec> = {},
  beforeRelease: BeforeRelease = () => {},
): Promise<Outcome> {
  const sandboxed = await launchSandboxed(specOf(site, ['/bin/sh', '-c', script], more), beforeRelease);
  sandboxed.stdin?.end();
  const [stdout, stderr, { code }] = await Promise.all([
    text(sandboxed.stdout!),
    text(sandboxed.stderr!),
    sandboxed.exited,
  ]);
  return { code, stdout, stderr, notes: sandboxed.notes };
}
