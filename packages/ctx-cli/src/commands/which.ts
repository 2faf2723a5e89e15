import { lstatSync } from 'node:fs';
import { CortexError } from '@cortexfs/abi/errors';
import { parseModelName, parseObjectName } from '@cortexfs/abi/names';
import type { Invocation } from '../command/command.ts';
import { fileAt } from '../place/abi-path.ts';
import { findModel } from '../place/model.ts';
import { liveRoot } from '../place/root.ts';

/** `ctx which CLASS NAME`: the absolute path of the executable that a name means; a model's alias is followed to its identity. */
export async function run({ operands, root, json }: Invocation): Promise<number> {
  const [objectClass = '', name = ''] = operands;
  const place = liveRoot(root);
  const path = pathOf(place, objectClass, name);
  const absolute = fileAt(place, path);
  process.stdout.write(
    json ? `${JSON.stringify({ class: objectClass, name, path, absolute })}\n` : `${absolute}\n`,
  );
  return 0;
}

function pathOf(root: string, objectClass: string, name: string): string {
  const path = finders[objectClass]?.(root, name);
  if (path !== undefined) return path;
  if (finders[objectClass] === undefined)
    throw new CortexError('EINVAL', `${JSON.stringify(objectClass)} is no class`, {
      hint: 'agent, model or tool',
    });
  throw new CortexError('ENOENT', `there is no ${objectClass} ${name}`, { hint: `ctx ls ${objectClass}` });
}

const finders: Readonly<Record<string, (root: string, name: string) => string | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    agent: (root: string, name: string) => firstFile(root, [`agent/${parseObjectName(name)}`]),
    tool: (root: string, name: string) =>
      firstFile(
        root,
        toolDirectories().map((directory) => `${directory}/${parseObjectName(name)}`),
      ),
    model: (root: string, name: string) => {
      if (name.includes('/')) parseModelName(name);
      else parseObjectName(name);
      return findModel(root, name, process.geteuid!())?.path;
    },
  },
);

/** Where a person's tools are, first found first: CTX_PATH below /ctx, else the system's and then their own. */
export function toolDirectories(): string[] {
  const given = (process.env['CTX_PATH'] ?? '')
    .split(':')
    .filter((directory) => directory.startsWith('/ctx/'));
  if (given.length > 0) return given.map((directory) => directory.slice('/ctx/'.length));
  return ['tool', `home/${process.geteuid!()}/tool`];
}

function firstFile(root: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => lstatSync(fileAt(root, path), { throwIfNoEntry: false })?.isFile());
}
