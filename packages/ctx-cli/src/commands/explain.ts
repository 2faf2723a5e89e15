import { lstatSync } from 'node:fs';
import { type Decision, decide } from '@cortexfs/abi/authority';
import type { AuthorityRequest, FileFacts } from '@cortexfs/abi/authority/facts';
import { mountFactsAt } from '@cortexfs/abi/authority/mount-table';
import type { Codec } from '@cortexfs/abi/controls/codec';
import { gid } from '@cortexfs/abi/controls/gid';
import { groups } from '@cortexfs/abi/controls/groups';
import { label } from '@cortexfs/abi/controls/label';
import { type MountEntry, mount } from '@cortexfs/abi/controls/mount';
import { owner } from '@cortexfs/abi/controls/owner';
import { path as pathCodec } from '@cortexfs/abi/controls/path';
import { policy } from '@cortexfs/abi/controls/policy';
import { tools } from '@cortexfs/abi/controls/tools';
import { uid } from '@cortexfs/abi/controls/uid';
import { exitCodeOf } from '@cortexfs/abi/errno';
import { CortexError } from '@cortexfs/abi/errors';
import { parseObjectName } from '@cortexfs/abi/names';
import { parsePolicy } from '@cortexfs/abi/policy';
import { flag, type Invocation } from '../command/command.ts';
import { fileAt } from '../place/abi-path.ts';
import { loadControl } from '../place/control-text.ts';
import { findModel } from '../place/model.ts';
import { liveRoot } from '../place/root.ts';

/**
 * `ctx explain AGENT CLASS:NAME PERMISSION [--direct]`: what every layer of the authority decision says, from the controls as they are now
 * (docs/authority.md). The exit code follows the decision.
 */
export async function run(invocation: Invocation): Promise<number> {
  const [agent = '', object = '', permission = ''] = invocation.operands;
  const root = liveRoot(invocation.root);
  const request = requestFor(root, parseObjectName(agent), object, permission, flag(invocation, 'direct'));
  const decision = decide(request);
  process.stdout.write(invocation.json ? `${JSON.stringify(decision)}\n` : textOf(decision));
  return decision.allowed ? 0 : exitCodeOf(decision.code);
}

function textOf(decision: Decision): string {
  const lines = decision.verdicts.map(
    ({ layer, verdict, reason }) => `${layer.padEnd(14)} ${verdict.padEnd(8)} ${reason}\n`,
  );
  const end = decision.allowed
    ? 'allowed\n'
    : `refused by ${decision.layer}: ${decision.code}: ${decision.reason}\n`;
  return `${lines.join('')}${end}`;
}

function requestFor(
  root: string,
  name: string,
  spec: string,
  permission: string,
  direct: boolean,
): AuthorityRequest {
  const load = <T>(control: string, codec: Codec<T>, missing?: T) =>
    loadControl(root, `agent/${name}.d/${control}`, codec, missing);
  const need = <T>(control: string, codec: Codec<T>): T => {
    const value = load(control, codec);
    if (value instanceof CortexError) throw value;
    return value;
  };
  const agent = {
    name,
    owner: need('owner', owner),
    uid: need('uid', uid),
    gid: need('gid', gid),
    groups: need('groups', groups),
    label: load('label', label),
    policy: load('policy', policy),
  };
  // The rule's own grammar says which classes, names and permissions there are.
  const [rule] = parsePolicy(`allow x ${spec} ${permission}`).rules;
  const path = load('path', pathCodec, []);
  const object = objectFacts(
    root,
    rule!.class,
    rule!.object,
    agent.owner,
    path instanceof CortexError ? [] : path,
  );
  const table = load('mount', mount, []);
  const whole: MountEntry = {
    source: '/ctx',
    target: '/ctx',
    mode: rule!.class === 'shared' ? 'rw' : 'ro',
    options: [],
  };
  const shown = table instanceof CortexError ? [] : [whole, ...table];
  return {
    agent,
    caller: { uid: agent.uid, rootAllowed: false },
    class: rule!.class,
    permission,
    object: object.object,
    aliases: object.aliases,
    file: object.path === undefined ? 'none' : fileFacts(fileAt(root, object.path)),
    mount: object.path === undefined ? 'none' : mountFactsAt(shown, `/ctx/${object.path}`),
    objectPolicy: rule!.class === 'tool' ? loadControl(root, `${object.path}.d/policy`, policy) : 'none',
    ...(direct && object.path !== undefined
      ? {
          direct: {
            declared: load('tools', tools, []),
            path,
            directory: `/ctx/${object.path.replace(/\/[^/]+$/, '')}`,
          },
        }
      : {}),
  };
}

interface ObjectFacts {
  readonly object: string;
  readonly aliases?: readonly string[] | undefined;
  /** The file that the operation touches, below the root. */
  readonly path?: string | undefined;
}

function objectFacts(
  root: string,
  objectClass: string,
  name: string,
  uid: number,
  path: readonly string[],
): ObjectFacts {
  if (objectClass === 'shared') return { object: name, path: `shared/${name}` };
  if (objectClass === 'tool') {
    const directories = [
      ...path.filter((directory) => directory.startsWith('/ctx/')).map((directory) => directory.slice(5)),
      'tool',
    ];
    const places = directories.map((directory) => `${directory}/${name}`);
    return {
      object: name,
      path: places.find((place) => fileFacts(fileAt(root, place)) !== 'missing') ?? `tool/${name}`,
    };
  }
  if (objectClass !== 'model') return { object: name };
  const model = findModel(root, name, uid);
  return { object: model?.id ?? name, aliases: model?.aliases, path: model?.path ?? `model/${name}` };
}

function fileFacts(file: string): FileFacts | 'missing' {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() || stat?.isDirectory()
    ? { uid: stat.uid, gid: stat.gid, mode: stat.mode }
    : 'missing';
}
