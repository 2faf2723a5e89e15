import { formatModelName, parseModelName, parseObjectName } from '@cortexfs/abi/names';
import { formatObjectMetadata } from '@cortexfs/abi/object-metadata';
import * as paths from '@cortexfs/abi/paths';
import { type InstallingUser, installedControls } from '@cortexfs/abi/reference-agent';
import { directory, type Entry, file, link } from './entry.ts';
import { modelAliases, offlineModels } from './models.ts';
import type { Controls, Reference } from './reference.ts';

/** The reference tree of a store, parents before children; `runner` is the interpreter that objects name. See docs/bootstrap.md. */
export function planStore(reference: Reference, user: InstallingUser, runner: string): Entry[] {
  return [
    ...['agent', 'bin', 'home', 'model', 'shared', 'tool'].map((path) => directory(path)),
    file(paths.STATUS, 'ready\n'),
    ...Object.entries(offlineModels).flatMap(([name, controls]) => model(name, controls, runner)),
    ...modelAliases.map(([alias, target]) => link(paths.modelAlias(parseObjectName(alias)), target)),
    ...Object.entries(reference.tools).flatMap(([name, controls]) => tool(name, controls, runner)),
    ...userHome(user.uid),
    ...Object.entries(reference.agents).flatMap(([name, controls]) => agent(name, controls, user, runner)),
  ];
}

function model(id: string, controls: Controls, runner: string): Entry[] {
  const name = parseModelName(id);
  return [
    directory(paths.modelProvider(name.provider)),
    ...controlFiles(paths.modelControls(name), controls),
    file(
      paths.modelExec(name),
      formatObjectMetadata({ runner, class: 'model', name: formatModelName(name) }),
      0o755,
    ),
  ];
}

function tool(id: string, controls: Controls, runner: string): Entry[] {
  const name = parseObjectName(id);
  const folder = paths.toolControls(name);
  return [
    ...controlFiles(folder, { ...controls, status: 'ready\n', log: '' }),
    ...hooks(folder),
    file(paths.toolExec(name), formatObjectMetadata({ runner, class: 'tool', name }), 0o755),
  ];
}

function agent(id: string, controls: Controls, user: InstallingUser, runner: string): Entry[] {
  const name = parseObjectName(id);
  const folder = paths.agentControls(name);
  const home = paths.homeAgent(user.uid, name);
  return [
    directory(home, 0o700),
    ...['root', 'session', 'data', 'cache', 'log'].map((part) => directory(`${home}/${part}`, 0o700)),
    ...controlFiles(folder, {
      ...controls,
      ...installedControls(name, user),
      status: 'dead\n',
      pid: '',
      log: '',
    }),
    ...hooks(folder),
    file(paths.agentExec(name), formatObjectMetadata({ runner, class: 'agent', name }), 0o755),
  ];
}

function controlFiles(folder: string, controls: Controls): Entry[] {
  const files = Object.entries(controls).map(([name, content]) => file(`${folder}/${name}`, content));
  return [directory(folder), ...files];
}

function hooks(folder: string): Entry[] {
  return [`${folder}/hooks`, paths.hookDirectory(folder, 'pre'), paths.hookDirectory(folder, 'post')].map(
    (path) => directory(path),
  );
}

function userHome(uid: number): Entry[] {
  const home = paths.home(uid);
  return [
    directory(home, 0o700),
    ...['agent', 'tool', 'model'].map((part) => directory(`${home}/${part}`, 0o700)),
  ];
}
