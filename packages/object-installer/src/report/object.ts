import type { Manifest } from '@cortexfs/abi/manifest';
import { inodeJson } from '@cortexfs/abi/receipt/inode';
import type { ObjectReceipt, Tier } from '@cortexfs/abi/receipt/object';
import type { Candidate } from '../check/candidate.ts';

/** What a receipt says about an object, and its size in bytes. */
export interface ObjectFacts {
  /** Its executable, below the store. */
  path: string;
  receipt: ObjectReceipt;
  size: number;
}

/** `tool/example.echo version 0.1.0 cortexfs "…" sha256 … size … executable DEV:INO controls DEV:INO tier user`. */
export function objectLine(verb: string, { receipt, size }: ObjectFacts): string {
  const { class: objectClass, name, executable, control, tier } = receipt;
  return [
    `${verb} ${objectClass}/${name}`,
    ...versionWords(receipt),
    `sha256 ${executable.sha256}`,
    `size ${size}`,
    `executable ${executable.dev}:${executable.ino}`,
    `controls ${control.dev}:${control.ino}`,
    `tier ${tier}`,
  ].join(' ');
}

export function objectJson({ path, receipt, size }: ObjectFacts): object {
  const { object_schema, class: objectClass, name, tier, executable, control } = receipt;
  return {
    class: objectClass,
    name,
    tier,
    object_schema,
    ...versionJson(receipt),
    executable: { path, ...inodeJson(executable), sha256: executable.sha256, size },
    control: { path: `${path}.d`, ...inodeJson(control) },
  };
}

/** The same of what is not there yet, so that it has no inodes. */
export function candidateLine(verb: string, { manifest, size }: Described, tier: Tier): string {
  const { class: objectClass, name, executable } = manifest;
  return [
    `${verb} ${objectClass}/${name}`,
    ...versionWords(versionsOf(manifest)),
    `sha256 ${executable.sha256}`,
    `size ${size}`,
    `tier ${tier}`,
  ].join(' ');
}

export function candidateJson({ manifest, size }: Described, tier: Tier, path: string): object {
  const { class: objectClass, name, schema, executable } = manifest;
  return {
    class: objectClass,
    name,
    tier,
    object_schema: schema,
    ...versionJson(versionsOf(manifest)),
    executable: { path, sha256: executable.sha256, size },
    control: { path: `${path}.d` },
  };
}

type Described = Pick<Candidate, 'manifest' | 'size'>;

function versionsOf({ compatibility }: Manifest): Versions {
  return compatibility === undefined
    ? {}
    : { object_version: compatibility.version, cortexfs_requirement: compatibility.cortexfs };
}

export function versionWords({ object_version, cortexfs_requirement }: Versions): string[] {
  return object_version === undefined
    ? []
    : [`version ${object_version}`, `cortexfs ${JSON.stringify(cortexfs_requirement)}`];
}

export function versionJson({ object_version, cortexfs_requirement }: Versions): object {
  return object_version === undefined ? {} : { object_version, cortexfs_requirement };
}

type Versions = Pick<ObjectReceipt, 'object_version' | 'cortexfs_requirement'>;
