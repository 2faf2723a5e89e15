import type { InodeStat } from '@cortexfs/linux/stat-at';
import type { RequestContext } from '../file-system.ts';
import type { Node } from '../node/node.ts';
import { ClassDirectory } from '../objects/class-directory.ts';
import { ModelDirectory } from '../objects/model-directory.ts';
import { Fixed } from '../projection/fixed.ts';
import { refuse } from '../refuse.ts';
import { DIRECTORY, typeOf } from '../store/mode.ts';
import { type DirectoryChange, TreeDirectory } from '../tree/directory.ts';
import { treeTop } from '../tree/top.ts';
import { subzone, zoneOf } from '../tree/zone.ts';
import type { ViewScope } from './scope.ts';

/** `home` in a view: the owner's tools and models as far as they are visible, and the agent's own home. */
export function viewHomes(scope: ViewScope): Node {
  const uid = String(scope.owner);
  return new Fixed(scope, 'home', { [uid]: () => ownerHome(scope, `home/${uid}`) }).known();
}

function ownerHome(scope: ViewScope, path: string): Node {
  return new Fixed(scope, path, {
    agent: () => new Fixed(scope, `${path}/agent`, { [scope.agent]: () => ownHome(scope, path) }).known(),
    tool: () => new ClassDirectory(scope, 'tool', `${path}/tool`).known(),
    model: () => new ModelDirectory(scope, `${path}/model`).known(),
  }).known();
}

function ownHome(scope: ViewScope, home: string): Node | undefined {
  const path = `${home}/agent/${scope.agent}`;
  return treeTop(AgentHome, zoneOf(scope, path), path);
}

/** The agent's own home: its sessions are the host's records, which it may only read. */
class AgentHome extends TreeDirectory {
  protected override requireChange(change: DirectoryChange, name: string, context: RequestContext): void {
    super.requireChange(change, name, context);
    if (name === 'session') throw refuse('EROFS', `${this.path()}/${name}`, HOST_RECORDS);
  }

  protected override adopt(name: string, stat: InodeStat): Node {
    if (name !== 'session' || typeOf(Number(stat.mode)) !== DIRECTORY) return super.adopt(name, stat);
    const zone = subzone(this.zone, 'session', { readOnly: HOST_RECORDS });
    return this.adoptAs(TreeDirectory, name, stat, zone);
  }
}

const HOST_RECORDS = 'sessions are written by the agent host alone';
