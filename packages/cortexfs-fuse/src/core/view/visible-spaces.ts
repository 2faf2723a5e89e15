import { SharedSpaces } from '../home/shared-spaces.ts';
import { subzone, type Zone } from '../tree/zone.ts';
import { AgentSight } from './sight.ts';

/** `shared` in a view: the spaces that the agent may read; those that it may not write are read-only. */
export class VisibleSpaces extends SharedSpaces {
  protected override hides(name: string): boolean {
    return super.hides(name) || !this.#sight().seesSpace(name, 'read');
  }

  protected override spaceZone(name: string): Zone {
    const writable = this.#sight().seesSpace(name, 'write');
    const readOnly = writable ? undefined : `the agent has no "shared:${name} write"`;
    return subzone(this.zone, `${name}${writable ? '' : ' ro'}`, { readOnly });
  }

  #sight(): AgentSight {
    return new AgentSight(this.zone.world, this.zone.scope.agent!);
  }
}
