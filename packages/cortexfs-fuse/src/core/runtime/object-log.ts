import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs';
import type { ObjectClass } from '@cortexfs/abi/controls/registry';
import { type RuntimeTree, runtimeTree } from '@cortexfs/abi/paths';
import { formatTimestamp } from '@cortexfs/abi/timestamp';

/** What the control `log` shows of a log file: its end, from a whole line on. */
const SHOWN = 64 * 1024;
/** A log that is longer begins anew; the old one stays as `.old`. */
const LONGEST = 1024 * 1024;

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/** The logs of objects in the runtime tree, which the controls `log` show. */
export class ObjectLog {
  readonly #tree: RuntimeTree;
  /** The line said last about each object: what fails again and again is told once. */
  readonly #last = new Map<string, string>();

  constructor(runtime: string) {
    this.#tree = runtimeTree(runtime);
  }

  /** Whether the line is news. A log that cannot be written is no reason to fail. */
  add(objectClass: ObjectClass, name: string, line: string): boolean {
    const path = this.#tree.objectLog(objectClass, name);
    if (this.#last.get(path) === line) return false;
    this.#last.set(path, line);
    try {
      mkdirSync(this.#tree.logDir, { recursive: true, mode: 0o700 });
      append(path, `${formatTimestamp(Date.now())} ${line}\n`);
    } catch {
      // No runtime directory, or no room: the mount's own log has the line.
    }
    return true;
  }

  tail(objectClass: ObjectClass, name: string): string {
    try {
      return endOf(this.#tree.objectLog(objectClass, name));
    } catch {
      // Nothing was ever said.
      return '';
    }
  }
}

function append(path: string, line: string): void {
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return;
    appendFileSync(fd, line);
    if (stat.size > LONGEST) renameSync(path, `${path}.old`);
  } finally {
    closeSync(fd);
  }
}

function endOf(path: string): string {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(0, size - SHOWN);
    const buffer = Buffer.alloc(Math.min(size, SHOWN));
    const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start));
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(fd);
  }
}
