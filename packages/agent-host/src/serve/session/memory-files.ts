import type { SESSION_FILES } from '@cortexfs/abi/paths';
import type { EventLog } from './event-log.ts';
import { LineLog } from './line-log.ts';
import { RequestLedger } from './request-ledger.ts';
import { SessionFiles } from './session-files.ts';

/** The files of a temp session: nothing of it is ever on a disk (docs/sessions.md). */
export class MemoryFiles extends SessionFiles {
  readonly #texts = new Map<string, string>();

  constructor() {
    super('memory');
  }

  override openLog(): LineLog {
    return LineLog.inMemory();
  }

  override openLedger(events: EventLog): RequestLedger {
    return RequestLedger.on(LineLog.inMemory(), events);
  }

  override read(file: keyof typeof SESSION_FILES): string | undefined {
    return this.#texts.get(file);
  }

  override async write(file: keyof typeof SESSION_FILES, text: string): Promise<void> {
    this.#texts.set(file, text);
  }

  override async writeContext(name: string, text: string): Promise<void> {
    this.#texts.set(`context/${name}`, text);
  }

  protected override makeDirectories(): void {}
}
