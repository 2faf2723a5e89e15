import { LineLog } from './line-log.ts';
import { linesBackward } from './lines.ts';
import {
  formatMessage,
  type MessageBody,
  parseMessage,
  readMessageSeq,
  type StoredMessage,
} from './stored-message.ts';
import { repairTail, type TornTail } from './torn-tail.ts';

/** messages.jsonl: the conversation, one message a line (docs/host.md, "Messages"). */
export class MessageLog {
  readonly log: LineLog;
  readonly torn: TornTail | undefined;
  #seq: number;

  private constructor(log: LineLog) {
    this.log = log;
    this.torn = repairTail(log, readMessageSeq);
    this.#seq = 0;
    for (const line of linesBackward(log)) {
      this.#seq = readMessageSeq(line.bytes);
      break;
    }
  }

  static open(path: string): MessageLog {
    return MessageLog.on(LineLog.open(path));
  }

  static on(log: LineLog): MessageLog {
    return new MessageLog(log);
  }

  append(body: MessageBody): StoredMessage {
    const seq = this.#seq + 1;
    const ts = new Date().toISOString();
    this.log.append(formatMessage(seq, ts, body));
    this.#seq = seq;
    return { id: `m${seq}`, ts, ...body };
  }

  sync(): Promise<void> {
    return this.log.sync();
  }

  /** Newest first. */
  *backward(): Generator<StoredMessage> {
    for (const line of linesBackward(this.log)) yield parseMessage(line.bytes);
  }

  close(): void {
    this.log.close();
  }
}
