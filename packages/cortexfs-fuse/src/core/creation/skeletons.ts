import type { ObjectName } from '@cortexfs/abi/names';
import type { RequestContext } from '../file-system.ts';
import { refuse } from '../refuse.ts';
import { Skeleton } from './skeleton.ts';

const MOST_OF_ONE_MAKER = 16;
const MOST = 256;

/** Every agent that is being made. The store knows nothing of them: a maker who never finishes leaves nothing. */
export class Skeletons {
  readonly #byName = new Map<string, Skeleton>();

  begin(name: ObjectName, context: RequestContext): Skeleton {
    if (this.#byName.has(name)) throw refuse('EEXIST', `agent/${name}.d`, 'somebody is making that agent');
    const own = [...this.#byName.values()].filter(({ maker }) => maker.uid === context.uid);
    if (own.length >= MOST_OF_ONE_MAKER || this.#byName.size >= MOST)
      throw refuse('ENOSPC', `agent/${name}.d`, 'too many agents are being made', {
        hint: `finish or remove one: ${own.map(({ path }) => path).join(' ')}`,
      });
    const skeleton = new Skeleton(name, context);
    this.#byName.set(name, skeleton);
    return skeleton;
  }

  /** The skeleton of a name, as far as the caller may know of it. */
  find(name: string, context: Pick<RequestContext, 'uid'>): Skeleton | undefined {
    const skeleton = this.#byName.get(name);
    return skeleton?.isFor(context) ? skeleton : undefined;
  }

  visibleTo(context: Pick<RequestContext, 'uid'>): Skeleton[] {
    return [...this.#byName.values()].filter((skeleton) => skeleton.isFor(context));
  }

  drop(skeleton: Skeleton): void {
    this.#byName.delete(skeleton.name);
  }
}
