import { readFileSync } from 'node:fs';
import { type Frame, framesOf } from './frames.ts';
import type { Place } from './place.ts';

/** What a session of the person who runs the tests holds on disk. */
export class Session {
  readonly folder: string;

  constructor(place: Place, agent = 'coder', session = 'default') {
    this.folder = `${place.store}/home/${process.getuid!()}/agent/${agent}/session/${session}`;
  }

  messages(): Frame[] {
    return framesOf(this.read('messages.jsonl'));
  }

  /** All events; throws unless `seq` counts them without a hole and `id` follows it. */
  events(): Frame[] {
    const events = framesOf(this.read('events.jsonl'));
    events.forEach(({ id, seq }, index) => {
      if (seq !== index + 1 || id !== `e${seq}`) throw new Error(`event ${index + 1} is ${id}, seq ${seq}`);
    });
    return events;
  }

  /** The events of the last run. */
  lastRun(): Frame[] {
    const events = this.events();
    const run = events.findLast(({ type }) => type === 'start')?.run;
    return events.filter((event) => event.run === run);
  }

  read(file: string): string {
    return readFileSync(`${this.folder}/${file}`, 'utf8');
  }
}
