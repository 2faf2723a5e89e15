import { constants, fstatSync, openSync } from 'node:fs';
import { PassedThrough } from '../file/passed-through.ts';
import type { RequestContext } from '../file-system.ts';
import { refuse } from '../refuse.ts';
import { writes } from '../store/mode.ts';
import { pathOf } from '../store/store.ts';
import { TreeItem } from './item.ts';

const { O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_TRUNC, O_SYNC, O_DSYNC } = constants;

/** An ordinary file: bytes pass through a descriptor on the store. */
export class TreeFile extends TreeItem {
  /** The flags of open(2) that mean the same to the store. */
  static readonly FLAGS = O_RDONLY | O_WRONLY | O_RDWR | O_APPEND | O_TRUNC | O_SYNC | O_DSYNC;

  override open(context: RequestContext, flags: number): PassedThrough {
    if (writes(flags)) this.requireWritable(context);
    return this.adoptDescriptor(
      this.pinned((fd) => {
        // Never wait on a pipe or touch a device that somebody put there since.
        if (!fstatSync(fd).isFile()) throw refuse('ESTALE', this.path(), 'it is no regular file any more');
        return openSync(pathOf(fd), flags & TreeFile.FLAGS);
      }),
    );
  }

  adoptDescriptor(fd: number): PassedThrough {
    const file = new PassedThrough(this.path(), fd, { closed: (open) => this.opens.delete(open) });
    this.opens.add(file);
    return file;
  }
}
