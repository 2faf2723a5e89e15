import { jsonObject } from '@cortexfs/abi/controls/json';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import { withContent } from '../attributes.ts';
import type { Attr } from '../file-system.ts';
import { ControlFile } from './file.ts';

/** `agent/NAME.d/meta.json`: what people keep there, with the receipt of the last stop as `cleanup`. */
export class MetaControl extends ControlFile {
  override attr(): Attr {
    const attr = super.attr();
    return this.place.find() === undefined ? attr : withContent(attr, this.content().length);
  }

  protected override content(): Buffer {
    const { controls, runtime } = this.scope.world;
    const stored = controls.load(this.place.directory, this.place.name, jsonObject);
    if (stored instanceof CortexError) return this.stored();
    const { cleanup: _stale, ...kept } = stored;
    const cleanup = runtime.cleanup(this.place.object.name as ObjectName);
    return Buffer.from(`${JSON.stringify(cleanup === undefined ? kept : { ...kept, cleanup }, null, 2)}\n`);
  }
}
