import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Where a `.git` file says that its git directory is, without links; undefined when that is nowhere. */
export function namedDirectory(file: string): { directory: string; written: string } | undefined {
  const written = /^gitdir: ([^\0\n]+)\n?$/.exec(smallText(file) ?? '')?.[1];
  if (written === undefined) return undefined;
  const directory = realPath(resolve(dirname(file), written));
  return directory === undefined ? undefined : { directory, written };
}

/**
 * Everything that git runs or takes orders from on behalf of one git directory, without links: itself, the directory
 * that it shares with other worktrees, and hooks and configuration that lie elsewhere by a link or a setting. `tree`
 * is the working tree, which relative settings start from.
 */
export function partsOf(directory: string, tree: string): string[] {
  const common = smallText(join(directory, 'commondir'))?.trim();
  const directories = [directory, ...(common ? [resolve(directory, common)] : [])];
  return directories
    .flatMap((path) => [path, ...hooksOf(path), ...configurationOf(path, tree)])
    .flatMap((path) => realPath(path) ?? []);
}

/** The hooks themselves too: they are often links to scripts of the working tree. */
function hooksOf(directory: string): string[] {
  const hooks = join(directory, 'hooks');
  return [hooks, ...links(hooks)];
}

function configurationOf(directory: string, tree: string): string[] {
  return ['config', 'config.worktree'].flatMap((name) => {
    const file = join(directory, name);
    return [file, ...settings(smallText(file) ?? '', directory, tree)];
  });
}

/** `core.hooksPath`, from the working tree, and the files that `include` and `includeIf` name, from the git directory. */
function settings(text: string, directory: string, tree: string): string[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, key, value] = /^(?:\s*\[[^\]]*\])?\s*([\w-]+)\s*=\s*"?([^"\n]+?)"?\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) return [];
    if (section === 'core' && key.toLowerCase() === 'hookspath') {
      const hooks = isAbsolute(value) ? value : join(tree, value);
      return [hooks, ...links(hooks)];
    }
    const included = section.startsWith('include') && key.toLowerCase() === 'path';
    return included ? [resolve(directory, value)] : [];
  });
}

function links(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => join(directory, entry.name));
  } catch {
    return [];
  }
}

const MAX_BYTES = 64 * 1024;

/** The text of a small regular file that is no link; undefined for everything else. */
export function smallText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) return undefined;
    const buffer = Buffer.alloc(MAX_BYTES);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, MAX_BYTES, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
