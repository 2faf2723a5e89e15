import { CortexError } from '../errors.ts';
import { type JsonObject, parseJsonObject } from '../json.ts';
import type { InstallableClass, ManifestSchema } from '../manifest.ts';
import { type ObjectName, parseObjectName } from '../names.ts';
import { parseVersion } from '../object-version.ts';
import { parseRequirement } from '../requirement.ts';
import { isSha256 } from '../sha256.ts';
import { object, oneOf, parsed, type Reader, readAs, text, variant } from '../shape.ts';
import { type Inode, inodeJson, inodeNumber } from './inode.ts';

export const OBJECT_RECEIPT_SCHEMAS = ['cortexfs.object-install/v1', 'cortexfs.object-install/v2'] as const;
export type ObjectReceiptSchema = (typeof OBJECT_RECEIPT_SCHEMAS)[number];

/** A receipt is at most 16 KiB. */
export const MAX_OBJECT_RECEIPT_BYTES = 16 * 1024;
export const OBJECT_RECEIPT_MODE = 0o444;

/** `user`: below `home/UID`; `system`: directly below the root. */
export type Tier = 'user' | 'system';

/** What an installed object consists of, in `NAME.d/.cortexfs-receipt.json`. See docs/receipts.md. */
export interface ObjectReceipt {
  schema: ObjectReceiptSchema;
  object_schema: ManifestSchema;
  /** Version 2 only, the object's own version and the CortexFS versions it asked for. */
  object_version?: string;
  cortexfs_requirement?: string;
  class: InstallableClass;
  name: ObjectName;
  tier: Tier;
  executable: Inode & { sha256: string };
  control: Inode;
}

/** Reads a receipt: one line, nothing unknown, nothing missing. EINVAL, or EMSGSIZE over 16 KiB. */
export function parseObjectReceipt(json: string): ObjectReceipt {
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_OBJECT_RECEIPT_BYTES)
    throw refusal(`of ${bytes} bytes, the limit is ${MAX_OBJECT_RECEIPT_BYTES}`, 'EMSGSIZE');
  if (/[\n\r]./s.test(json)) throw refusal('has more than one line');
  return readAs('object receipt', receipt, parseJsonObject(json));
}

export function formatObjectReceipt(value: ObjectReceipt): string {
  const { executable, control } = value;
  const line: JsonObject = {
    schema: value.schema,
    object_schema: value.object_schema,
    ...(value.object_version === undefined ? {} : { object_version: value.object_version }),
    ...(value.cortexfs_requirement === undefined ? {} : { cortexfs_requirement: value.cortexfs_requirement }),
    class: value.class,
    name: value.name,
    tier: value.tier,
    executable: { ...inodeJson(executable), sha256: executable.sha256 },
    control: { ...inodeJson(control) },
  };
  return `${JSON.stringify(line)}\n`;
}

const sha256: Reader<string> = (value, at) => {
  const digest = text()(value, at);
  if (isSha256(digest)) return digest;
  throw new CortexError('EINVAL', `"${at}": expected 64 lowercase hexadecimal digits`, { layer: 'receipt' });
};

const strict = { strict: true } as const;

const common = {
  class: oneOf('tool', 'agent'),
  name: parsed(parseObjectName),
  tier: oneOf('user', 'system'),
  executable: object({ dev: inodeNumber, ino: inodeNumber, sha256 }, strict),
  control: object({ dev: inodeNumber, ino: inodeNumber }, strict),
} as const;

const receipt: Reader<ObjectReceipt> = variant<ObjectReceipt>('schema', {
  'cortexfs.object-install/v1': object(
    { schema: oneOf('cortexfs.object-install/v1'), object_schema: oneOf('cortexfs.object/v1'), ...common },
    strict,
  ),
  'cortexfs.object-install/v2': object(
    {
      schema: oneOf('cortexfs.object-install/v2'),
      object_schema: oneOf('cortexfs.object/v2'),
      object_version: parsed(parseVersion),
      cortexfs_requirement: parsed((requirement) => parseRequirement(requirement).text),
      ...common,
    },
    strict,
  ),
});

function refusal(why: string, code: 'EINVAL' | 'EMSGSIZE' = 'EINVAL'): CortexError {
  return new CortexError(code, `invalid object receipt: ${why}`, { layer: 'receipt' });
}
