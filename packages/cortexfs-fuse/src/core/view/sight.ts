import { readlinkSync } from 'node:fs';
import { decide } from '@cortexfs/abi/authority';
import type { AgentFacts, AuthorityRequest, FileFacts, MountFacts } from '@cortexfs/abi/authority/facts';
import { HIDDEN, mountFactsAt } from '@cortexfs/abi/authority/mount-table';
import { type MountEntry, mount as mountCodec } from '@cortexfs/abi/controls/mount';
import { policy as policyCodec } from '@cortexfs/abi/controls/policy';
import { CortexError } from '@cortexfs/abi/errors';
import { controlsOf, executableOf, type ObjectPlace, objectIn, partOf } from '../objects/object.ts';
import { resolveModel, targetBelowRoot } from '../objects/resolve-model.ts';
import type { Sight } from '../scope.ts';
import { SYMLINK, typeOf } from '../store/mode.ts';
import type { World } from '../world.ts';
import { agentFacts } from './facts.ts';

/** What one agent sees, by the one authority decision, from its controls as they are now. */
export class AgentSight implements Sight {
  readonly #world: World;
  readonly #name: string;
  readonly #agent: AgentFacts | undefined;
  readonly #mounts: readonly MountEntry[];
  #aliases: { name: string; target: string | undefined }[] | undefined;

  constructor(world: World, agent: string) {
    this.#world = world;
    this.#name = agent;
    this.#agent = agentFacts(world, agent);
    this.#mounts = mountsOf(world, agent);
  }

  sees(object: ObjectPlace): boolean {
    if (object.class === 'agent')
      return (
        object.name === this.#name ||
        this.#allows({ class: 'agent', object: object.name, permission: 'read' })
      );
    const file = this.#fileAt(executableOf(object));
    const mount = this.#mountAt(executableOf(object));
    if (object.class === 'model') {
      const aliases = this.#aliasesOf(executableOf(object));
      return this.#allows({ class: 'model', object: object.name, permission: 'use', file, mount, aliases });
    }
    const objectPolicy = this.#world.controls.load(controlsOf(object), 'policy', policyCodec);
    return this.#allows({
      class: 'tool',
      object: object.name,
      permission: 'execute',
      file,
      mount,
      objectPolicy,
    });
  }

  seesProvider(path: string): boolean {
    const { places, store } = this.#world;
    const place = places.directory(path);
    if (place === undefined) return false;
    const names = store.list(place).map((entry) => partOf(entry.name));
    return names.some((part) => part?.part === 'exec' && this.sees(objectIn('model', path, part.base)));
  }

  seesAlias(path: string): boolean {
    const [, directory, alias] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
    const model = directory === undefined ? undefined : resolveModel(this.#world, alias!, ownerIn(directory));
    if (model === undefined) return false;
    const slash = model.path.lastIndexOf('/');
    return this.sees(objectIn('model', model.path.slice(0, slash), model.path.slice(slash + 1)));
  }

  seesSpace(space: string, permission: 'read' | 'write'): boolean {
    const path = `shared/${space}`;
    const [file, mount] = [this.#fileAt(path), this.#mountAt(path)];
    return this.#allows({ class: 'shared', object: space, permission, file, mount });
  }

  #allows(wanted: Wanted): boolean {
    const agent = this.#agent;
    if (agent === undefined) return false;
    const caller = { uid: agent.uid, rootAllowed: false };
    return decide({ agent, caller, file: 'none', mount: 'none', objectPolicy: 'none', ...wanted }).allowed;
  }

  #fileAt(path: string): FileFacts | 'missing' {
    const slash = path.lastIndexOf('/');
    const place = this.#world.places.directory(path.slice(0, slash));
    const stat = place && this.#world.store.find(place, path.slice(slash + 1));
    // Objects are opened without following links, so an alias is no object.
    if (stat === undefined || typeOf(Number(stat.mode)) === SYMLINK) return 'missing';
    return { uid: Number(stat.uid), gid: Number(stat.gid), mode: Number(stat.mode) };
  }

  #mountAt(path: string): MountFacts {
    return this.#mounts.length === 0 ? HIDDEN : mountFactsAt(this.#mounts, `/ctx/${path}`);
  }

  /** The aliases in `model` and the agent's own model directory that mean this model. */
  #aliasesOf(model: string): string[] {
    this.#aliases ??= this.#readAliases();
    return this.#aliases.filter(({ target }) => target === model).map(({ name }) => name);
  }

  #readAliases(): { name: string; target: string | undefined }[] {
    const { places, store } = this.#world;
    const directories = ['model', ...(this.#agent === undefined ? [] : [`home/${this.#agent.owner}/model`])];
    return directories.flatMap((directory) => {
      const place = places.directory(directory);
      const links = place === undefined ? [] : store.list(place).filter((entry) => entry.isSymbolicLink());
      return links.map(({ name }) => ({
        name,
        target: targetBelowRoot(directory, readlinkSync(store.entry(place!, name))),
      }));
    });
  }
}

type Wanted = Pick<AuthorityRequest, 'class' | 'object' | 'permission'> & Partial<AuthorityRequest>;

/** Every sandbox shows the view at /ctx; entries of the agent's own table may hide or restrict parts of it. */
const WHOLE_VIEW: MountEntry = { source: '/ctx', target: '/ctx', mode: 'rw', options: [] };

/** Empty where the table cannot be read: then nothing is visible. */
function mountsOf(world: World, agent: string): readonly MountEntry[] {
  const table = world.controls.load(`agent/${agent}.d`, 'mount', mountCodec);
  return table instanceof CortexError ? [] : [WHOLE_VIEW, ...table];
}

function ownerIn(directory: string): number | undefined {
  const uid = /^home\/([0-9]+)\/model$/.exec(directory)?.[1];
  return uid === undefined ? undefined : Number(uid);
}
