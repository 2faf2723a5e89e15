import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** How much of each run came by, and in what bytes: of streams that no test could keep. */
export class RunDigests {
  bytes = 0;
  done = 0;
  readonly #runs = new Map<string, Hash>();
  #rest: Buffer[] = [];

  take(chunk: Buffer): void {
    this.bytes += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, at + 1)]);
      this.#rest = [];
      from = at + 1;
      this.#line(line);
    }
    if (from < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(from)));
  }

  /** Run to the digest of its lines, in the order of the runs. */
  get all(): [string, string][] {
    return [...this.#runs].map(([run, hash]): [string, string] => [run, hash.copy().digest('hex')]).sort();
  }

  #line(line: Buffer): void {
    const head = line.toString('latin1', 0, 300);
    const run = /"run":"([^"]+)"/.exec(head)?.[1];
    if (run === undefined) return;
    const hash = this.#runs.get(run) ?? createHash('sha256');
    this.#runs.set(run, hash.update(line));
    if (/"type":"done"/.test(head)) this.done++;
  }
}

/** The same of a stored log. */
export function digestFile(path: string, digests: RunDigests): void {
  const fd = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(1024 * 1024);
    for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk))
      digests.take(chunk.subarray(0, count));
  } finally {
    closeSync(fd);
  }
}

/** A client that writes at once and reads only when told to. */
export class SlowReader {
  readonly digests = new RunDigests();
  readonly #socket: Socket;

  constructor(path: string, requests: readonly object[]) {
    this.#socket = connect(path);
    this.#socket.pause();
    this.#socket.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  }

  /** Reads until so many runs are done. */
  async read(runs: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.on('data', (chunk) => {
        this.digests.take(chunk);
        if (this.digests.done === runs) resolve();
      });
      this.#socket.resume();
      this.#socket.on('close', () => reject(new Error(`closed after ${this.digests.done} runs`)));
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
