import { TEMPORARY_PREFIX } from '@cortexfs/linux/durable-write';
import { refuse } from '../refuse.ts';
import type { StagedFile } from './staged.ts';

const MOST_IN_A_DIRECTORY = 16;

/** All temporary files of control directories, by directory and name. */
export class Staging {
  readonly #files = new Map<string, Map<string, StagedFile>>();

  /** Names that a temporary file may have: those of durable writes, and hidden ones that mean nothing else. */
  static accepts(name: string): boolean {
    if (name.startsWith(TEMPORARY_PREFIX)) return true;
    return /^\.[^.]/.test(name) && !/^\.(cortexfs|ctx)-/.test(name) && !name.startsWith('.nfs');
  }

  find(directory: string, name: string): StagedFile | undefined {
    return this.#files.get(directory)?.get(name);
  }

  add(directory: string, name: string, file: StagedFile): void {
    const files = this.#files.get(directory) ?? new Map<string, StagedFile>();
    if (files.size >= MOST_IN_A_DIRECTORY && !files.has(name))
      throw refuse('ENOSPC', directory, `at most ${MOST_IN_A_DIRECTORY} temporary files at once`);
    this.#files.set(directory, files.set(name, file));
  }

  take(directory: string, name: string): StagedFile | undefined {
    const files = this.#files.get(directory);
    const file = files?.get(name);
    files?.delete(name);
    if (files?.size === 0) this.#files.delete(directory);
    return file;
  }
}
