import { controlEntry } from '@cortexfs/abi/controls/registry';
import type { ControlEntry } from '@cortexfs/abi/controls/registry/entry';
import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { RequestContext } from '../file-system.ts';
import { controlsOf, type ObjectPlace } from '../objects/object.ts';
import { refuse } from '../refuse.ts';
import type { Scope } from '../scope.ts';
import { identityOf } from '../store/identity.ts';
import { Location } from '../store/location.ts';
import { REGULAR, typeOf } from '../store/mode.ts';
import { ownerOf, requireOwner } from './owner.ts';

/** One control of one object in one scope, with the rules for it. */
export class ControlPlace {
  readonly scope: Scope;
  readonly object: ObjectPlace;
  readonly name: string;
  /** Undefined for a file that is no known control. */
  readonly entry: ControlEntry | undefined;

  constructor(scope: Scope, object: ObjectPlace, name: string) {
    this.scope = scope;
    this.object = object;
    this.name = name;
    this.entry = controlEntry(object.class, name);
  }

  get directory(): string {
    return controlsOf(this.object);
  }

  get path(): string {
    return `${this.directory}/${this.name}`;
  }

  get owner(): number | undefined {
    return ownerOf(this.scope, this.object);
  }

  /** The file in the store; undefined when there is none, or something that is no regular file. */
  find(): InodeStat | undefined {
    const { store, places } = this.scope.world;
    const place = places.directory(this.directory);
    const stat = place && store.find(place, this.name);
    return stat && typeOf(Number(stat.mode)) === REGULAR ? stat : undefined;
  }

  /** The place of that file. */
  location(): Location | undefined {
    const place = this.scope.world.places.directory(this.directory);
    const stat = this.find();
    return place && stat && new Location(place, this.name, identityOf(stat));
  }

  /** Whether its mode shall say that the owner may write it. */
  get writable(): boolean {
    return this.scope.agent === undefined && this.entry !== undefined && this.entry.writer !== 'nobody';
  }

  /** Refuses whoever may not replace this control. */
  requireWriter(context: RequestContext): void {
    if (this.scope.agent !== undefined)
      throw refuse('EROFS', this.path, 'controls cannot be changed from inside an agent view');
    if (this.entry === undefined)
      throw refuse('EPERM', this.path, `not a control of ${this.object.class} objects`, { layer: 'control' });
    if (this.entry.writer === 'nobody')
      throw refuse('EROFS', this.path, 'this control is a projection that nobody writes', {
        layer: 'control',
      });
    requireOwner(this.scope, this.object, context, this.path);
    if (this.entry.writer === 'root' && context.uid !== 0)
      throw refuse(
        'EPERM',
        this.path,
        'only uid 0 may change whose object this is and which identity it has',
        {
          layer: 'credentials',
        },
      );
  }
}
