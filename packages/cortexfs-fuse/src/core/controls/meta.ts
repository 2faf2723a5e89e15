import { jsonObject } from '@cortexfs/abi/controls/json';
import { CortexError } from '@cortexfs/abi/errors';
import type { ObjectName } from '@cortexfs/abi/names';
import type { CleanupReceipt } from '@cortexfs/abi/receipt/cleanup';
import { withContent } from '../attributes.ts';
import type { Attr } from '../file-system.ts';
import { REGULAR } from '../store/mode.ts';
import { ControlFile } from './file.ts';

/** `agent/NAME.d/meta.json`: what people keep there, with the receipt of the last stop as `cleanup`; there when either is. */
export class MetaControl extends ControlFile {
  override exists(): boolean {
    return super.exists() || this.#cleanup() !== undefined;
  }

  override attr(): Attr {
    if (this.isLeft) return super.attr();
    if (this.place.find() !== undefined) return withContent(super.attr(), this.content().length);
    if (this.#cleanup() === undefined) return super.attr();
    const mode = REGULAR | (this.place.writable ? 0o644 : 0o444);
    return this.madeUp(mode, this.content().length, this.place.owner);
  }

  protected override content(): Buffer {
    const stored = this.#load();
    if (stored instanceof CortexError) return this.stored();
    const { cleanup: _stale, ...kept } = stored;
    const cleanup = this.#cleanup();
    return Buffer.from(`${JSON.stringify(cleanup === undefined ? kept : { ...kept, cleanup }, null, 2)}\n`);
  }

  protected override stored(): Buffer {
    return this.place.find() === undefined ? Buffer.alloc(0) : super.stored();
  }

  #load() {
    if (this.place.find() === undefined) return {};
    return this.scope.world.controls.load(this.place.directory, this.place.name, jsonObject);
  }

  #cleanup(): CleanupReceipt | undefined {
    const { owner, object, scope } = this.place;
    return owner === undefined
      ? undefined
      : scope.world.runtimes.of(owner).cleanup(object.name as ObjectName);
  }
}
