import type { JsonObject } from '../json.ts';
import { quoted } from '../quote.ts';
import { isSha256 } from '../sha256.ts';
import { Faults } from './faults.ts';

export interface ManifestExecutable {
  /** Relative to the manifest's directory and beneath it. */
  path: string;
  /** 64 lowercase hexadecimal digits. */
  sha256: string;
}

const LONGEST_PATH = 4095;

export function checkExecutable(faults: Faults, document: JsonObject): ManifestExecutable | undefined {
  const executable = faults.object('', document, 'executable');
  if (executable === undefined) return undefined;
  faults.unknownKeys('executable', executable, ['path', 'sha256']);
  const path = faults.string('executable', executable, 'path', parsePath);
  const sha256 = faults.string('executable', executable, 'sha256', parseSha256);
  return path === undefined || sha256 === undefined ? undefined : { path, sha256 };
}

function parsePath(text: string): string {
  if (/[\x00-\x1f\x7f-\x9f]/.test(text)) throw Faults.fault(`has a control character: ${quoted(text)}`);
  if (text.startsWith('/'))
    throw Faults.fault(`must be relative to the manifest's directory, got ${quoted(text)}`);
  if (Buffer.byteLength(text) > LONGEST_PATH) throw Faults.fault(`is longer than ${LONGEST_PATH} bytes`);
  const parts = text.split('/').filter((part) => part !== '.');
  if (parts.length === 0 || parts.includes('')) throw Faults.fault(`must name a file, got ${quoted(text)}`);
  if (parts.includes('..'))
    throw Faults.fault(`must stay beneath the manifest's directory, got ${quoted(text)}`);
  return parts.join('/');
}

function parseSha256(text: string): string {
  if (isSha256(text)) return text;
  throw Faults.fault(`must be 64 lowercase hexadecimal digits, got ${quoted(text)}`);
}
