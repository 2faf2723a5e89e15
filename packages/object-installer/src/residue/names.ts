import { randomBytes } from 'node:crypto';

/** What interrupted commands leave behind, by the beginning of its name. */
export const RESIDUE_PREFIXES = {
  install: '.cortexfs-install-',
  cleanup: '.cortexfs-cleanup-',
  rollback: '.ctx-rollback-',
} as const;

export type ResidueKind = keyof typeof RESIDUE_PREFIXES;

export function residueKind(name: string): ResidueKind | undefined {
  const kinds = Object.keys(RESIDUE_PREFIXES) as ResidueKind[];
  return kinds.find((kind) => name.startsWith(RESIDUE_PREFIXES[kind]));
}

export function newResidueName(kind: ResidueKind): string {
  return RESIDUE_PREFIXES[kind] + randomBytes(8).toString('hex');
}

/** The directory of a store path that may be cleaned up, and its last name; undefined for any other path. */
export function cleanupPlace(path: string): { directory: string; name: string } | undefined {
  const [, directory, name] =
    /^((?:home\/(?:0|[1-9][0-9]{0,9})\/)?(?:tool|agent))\/([^/]+)$/.exec(path) ?? [];
  if (directory === undefined || name === undefined || residueKind(name) !== 'install') return undefined;
  return name.length > RESIDUE_PREFIXES.install.length ? { directory, name } : undefined;
}
