import type { Node } from '../node/node.ts';
import { Views } from '../view/views.ts';
import { Root } from './root.ts';

/** The root of the mount itself: beside the seven names it knows `.view`, without listing it. */
export class MountRoot extends Root {
  protected override unlisted(name: string): Node {
    return name === Views.NAME ? new Views(this.scope).known() : super.unlisted(name);
  }
}
