import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';

export const SCRIPT =
  '#!/bin/sh\nprintf \'{"type":"start","run":"r"}\\n{"type":"done","run":"r","status":"ok"}\\n\'\n';

export const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The manifest of a tool whose executable is `bin/echo`, with SCRIPT's digest. */
export const toolManifest = (change: object = {}) => ({
  schema: 'cortexfs.object/v2',
  version: '0.1.0',
  compatibility: { cortexfs: '>=0.1.7, <0.2.0' },
  class: 'tool',
  name: 'example.echo',
  executable: { path: 'bin/echo', sha256: sha256Of(SCRIPT) },
  controls: { description: 'Echo text.', schema: '{"type":"object"}', cap: 'text', policy: '' },
  ...change,
});

export class ObjectFolder {
  readonly path: string;

  /** A folder with an executable `bin/echo`, gone after the test. */
  constructor(t: Test) {
    this.path = mkdtempSync(join(tmpdir(), 'ctx-oi-'));
    chmodSync(this.path, 0o755);
    t.teardown(() => rmSync(this.path, { recursive: true, force: true }));
    this.write('bin/echo', SCRIPT, 0o755);
  }

  at(path: string): string {
    return join(this.path, path);
  }

  write(path: string, content: string | Uint8Array, mode = 0o644): string {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
    chmodSync(this.at(path), mode);
    return this.at(path);
  }

  /** Writes the manifest and returns its path. */
  manifest(content: unknown): string {
    return this.write('echo.json', typeof content === 'string' ? content : JSON.stringify(content));
  }
}
