import type { TerminalSize } from '@cortexfs/abi/frames/terminal';
import type { Journal } from '../log/journal.ts';
import { Drawn } from '../screen/drawn.ts';
import type { Screen } from '../screen/screen.ts';
import type { Piece } from './coalescer.ts';
import { frame, outputFrame, screenFrames } from './frames.ts';
import { History } from './history.ts';

/** Something that happened to the screen and that the headless terminal has not worked through yet. */
interface Step {
  seq: number;
  frame: Buffer;
  introducer: string;
}

/** A client that receives the stream. */
export interface Viewer {
  /** Lines wanted above the screen. */
  readonly scrollback: number;
  /** A frame of the live stream. */
  live(frame: Buffer): void;
  /** The screen that was asked for, and what has happened since; the live stream goes on after it. */
  screen(frames: Buffer): void;
}

/**
 * The one ordered stream of output and sizes. The headless screen follows it at its own pace: a screen is always taken
 * between two steps, and sent together with the steps after it, so that no byte is missing or seen twice.
 */
export class Stream {
  readonly history: History;
  readonly #journal: Journal;
  readonly #screen: Screen;
  readonly #drawn = new Drawn();
  readonly #viewers = new Set<Viewer>();
  readonly #waiting = new Set<Viewer>();
  #unseen: Step[] = [];
  #size: TerminalSize;
  #farewell: Buffer | undefined;

  constructor(journal: Journal, screen: Screen, size: TerminalSize) {
    this.#journal = journal;
    this.#screen = screen;
    this.#size = size;
    this.history = new History(journal.seq);
  }

  get size(): TerminalSize {
    return this.#size;
  }

  /** Bytes that the screen has not worked through. */
  get backlog(): number {
    return this.#screen.backlog;
  }

  output(piece: Piece): void {
    const base64 = piece.bytes.toString('base64');
    const seq = this.#journal.output(base64);
    this.history.add({ ...piece, seq });
    const step = { seq, frame: outputFrame(seq, base64), introducer: piece.introducer };
    this.#unseen.push(step);
    this.#screen.write(this.#drawn.of(piece), () => this.#shown(step));
    this.#send(step.frame);
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    const seq = this.#journal.record({ type: 'pty.resize', ...size });
    const step = { seq, frame: frame({ type: 'resize', seq, ...size }), introducer: this.#introducer };
    this.#unseen.push(step);
    this.#screen.resize(size.cols, size.rows, () => this.#shown(step));
    this.#send(step.frame);
  }

  /** What somebody who joins now must be fed first: see `Piece`. */
  get #introducer(): string {
    return this.history.last?.introducer ?? '';
  }

  /** Nothing more will come; whoever joins later is told so as well. */
  finish(farewell: Buffer): void {
    this.#farewell = farewell;
    this.#send(farewell);
  }

  /** The screen shows everything, and everybody who asked for it has it. */
  get settled(): boolean {
    return this.#unseen.length === 0 && this.#waiting.size === 0;
  }

  /** From now on every frame goes to `viewer`. */
  join(viewer: Viewer): void {
    this.#viewers.add(viewer);
    if (this.#farewell) viewer.live(this.#farewell);
  }

  /** Gives `viewer` the screen as soon as the headless terminal is between two steps, then the live stream. */
  joinWithScreen(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#waiting.add(viewer);
    if (this.#unseen.length === 0) this.#paint(this.#journal.seq, this.#introducer);
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#waiting.delete(viewer);
  }

  #send(bytes: Buffer): void {
    for (const viewer of this.#viewers) viewer.live(bytes);
  }

  #shown(step: Step): void {
    this.#unseen.shift();
    if (this.#waiting.size > 0) this.#paint(step.seq, step.introducer);
  }

  #paint(seq: number, introducer: string): void {
    const since = this.#unseen.map((step) => step.frame);
    if (this.#farewell) since.push(this.#farewell);
    const pictures = new Map<number, Buffer>();
    for (const viewer of [...this.#waiting]) {
      const lines = viewer.scrollback;
      const known = pictures.get(lines);
      const picture = known ?? Buffer.concat([this.#screen.picture(lines), Buffer.from(introducer)]);
      pictures.set(lines, picture);
      this.#waiting.delete(viewer);
      this.#viewers.add(viewer);
      viewer.screen(Buffer.concat([screenFrames(seq, this.#screen.size, picture), ...since]));
    }
  }
}
