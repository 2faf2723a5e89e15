/** An open file that libfuse gave another name, because its own is about to be removed or to become another file's. */
export interface Hide {
  readonly original: string;
  readonly hidden: string;
  /** It has its name until it is known which of the two it is: replacing a control has to be a single step. */
  readonly inPlace: boolean;
}

/** The names that libfuse 2 makes up for open files whose name goes. */
export function isHiddenName(path: string): boolean {
  return /\/\.fuse_hidden[0-9a-f]{16}$/.test(path);
}

/**
 * What is hidden now. libfuse hides in two situations and does not say which: before an unlink, where nothing follows until
 * the file is closed, and before a rename over the file, which follows at once.
 */
export class Hides {
  readonly #byHidden = new Map<string, Hide>();
  /** Those that a rename may still follow. */
  readonly #fresh = new Map<string, Hide>();

  add(hide: Hide): void {
    this.#byHidden.set(hide.hidden, hide);
    this.#fresh.set(hide.original, hide);
  }

  /** Somebody asks for the name: no rename is about to follow, for that would have come first. */
  asked(path: string): void {
    if (this.#fresh.size > 0) this.#fresh.delete(path);
  }

  /** The rename to `path` has come. Returns what had to make room for it. */
  followed(path: string): Hide | undefined {
    const hide = this.#fresh.get(path);
    this.#fresh.delete(path);
    this.used(path);
    return hide;
  }

  /** The name means something else from now on; closing the hidden file must not remove it. */
  used(path: string): void {
    for (const [hidden, { original }] of this.#byHidden) if (original === path) this.#byHidden.delete(hidden);
  }

  /** The hidden file is closed. A hide that is returned was of an unlink. */
  closed(hidden: string): Hide | undefined {
    const hide = this.#byHidden.get(hidden);
    this.#byHidden.delete(hidden);
    if (hide && this.#fresh.get(hide.original) === hide) this.#fresh.delete(hide.original);
    return hide;
  }
}
