import type { Changing } from '../../src/step/lists.ts';
import type { Site } from '../support/store.ts';
import { SCENES } from './scenes.ts';

/** A command that waits after one of its steps, or before the first. */
export interface Frozen {
  readonly command: Changing;
  readonly after: string | undefined;
  readonly site: Site;
  /** Lets it go on; resolves to how it ended: `done`, or the error's code. */
  goOn(): Promise<string>;
}

/** Runs the command up to and with the step. Fails when it ends without having taken that. */
export async function freeze(command: Changing, after: string | undefined, site: Site): Promise<Frozen> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let work: Promise<string> | undefined;
  const start = (afterStep?: (name: string) => Promise<void> | undefined) =>
    endOf(SCENES[command].run(site, afterStep === undefined ? {} : { afterStep: (name) => afterStep(name) }));
  if (after !== undefined) {
    const reached = new Promise<void>((resolve, reject) => {
      work = start((name) => {
        if (name !== after) return undefined;
        resolve();
        return released;
      });
      void work.then((end) => reject(new Error(`${command} ended (${end}) without ${after}`)));
    });
    await reached;
  }
  return {
    command,
    after,
    site,
    goOn() {
      release();
      return work ?? start();
    },
  };
}

async function endOf(work: Promise<unknown>): Promise<string> {
  try {
    const outcome = (await work) as { valid?: boolean; faults?: { code: string }[] };
    return outcome.valid === false ? outcome.faults![0]!.code : 'done';
  } catch (err) {
    return (err as { code?: string }).code ?? String(err);
  }
}
