import { readdirSync } from 'node:fs';
import { isObjectName } from '@cortexfs/abi/names';
import { PERMISSIONS } from '@cortexfs/abi/policy';
import { findPlace } from '@cortexfs/linux/place';
import { type CommandSpec, commonOptions } from '../command/command.ts';
import { commands } from '../command/table.ts';
import { PRESETS } from '../model/presets.ts';

/** What the last of these words, perhaps empty, may become. Never fails: without a root there are no names. */
export function candidates(words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const spec = commandOf(before);
  const all = [...commandWords(before), ...(spec === undefined ? [] : argumentsOf(spec, before, last))];
  return [...new Set(all)].filter((word) => word.startsWith(last) && word !== '').sort();
}

function commandOf(before: readonly string[]): CommandSpec | undefined {
  for (const count of [2, 1]) {
    const found = commands.find(({ words }) => words === before.slice(0, count).join(' '));
    if (found !== undefined && count <= before.length) return found;
  }
  return undefined;
}

/** The next word of commands that begin with those typed. */
function commandWords(before: readonly string[]): string[] {
  return commands
    .map(({ words }) => words.split(' '))
    .filter((words) => words.length > before.length && before.every((word, at) => words[at] === word))
    .map((words) => words[before.length]!);
}

function argumentsOf(spec: CommandSpec, before: readonly string[], last: string): string[] {
  if (last.startsWith('-'))
    return Object.keys({ ...commonOptions, ...spec.options }).map((name) => `--${name}`);
  const given = before.slice(spec.words.split(' ').length);
  const wanted = spec.usage.split(' ').filter((word) => /^\[?[A-Z]/.test(word))[given.length];
  return wanted === undefined ? [] : (SOURCES[keyFor(spec, wanted)]?.(last, given) ?? []);
}

function keyFor({ words }: CommandSpec, wanted: string): string {
  const name = wanted.replace(/[^A-Z:]/g, '');
  if (name === 'NAME' && words.startsWith('agent ')) return 'AGENT';
  if (name === 'NAME' && words.startsWith('tool ')) return 'TOOL';
  return name;
}

const SOURCES: Readonly<Record<string, (last: string, given: readonly string[]) => string[]>> = {
  AGENT: () => objects('agent'),
  TOOL: () => objects('tool'),
  PATH: paths,
  MODEL: () => {
    const { aliases, providers } = modelDirectory();
    return [...aliases, ...modelsOf(providers)];
  },
  PROVIDERMODEL: () => {
    const { providers } = modelDirectory();
    return [...providers, ...modelsOf(providers)];
  },
  PRESET: () => Object.keys(PRESETS),
  CLASS: () => ['agent', 'model', 'tool'],
  NAME: (_last, [objectClass]) =>
    objectClass === 'shared' || objectClass === 'agent' || objectClass === 'tool' ? objects(objectClass) : [],
  'CLASS:NAME': () => [
    ...objects('tool').map((name) => `tool:${name}`),
    ...Object.keys(PERMISSIONS).map((name) => `${name}:`),
  ],
  PERMISSION: (_last, given) => [
    ...(PERMISSIONS[(given[1] ?? '').split(':')[0] as keyof typeof PERMISSIONS] ?? []),
  ],
};

function objects(directory: string): string[] {
  return entries(directory)
    .map(({ name }) => name)
    .filter(isObjectName);
}

/** In the directory of models what is no directory is an alias. */
function modelDirectory(): { aliases: string[]; providers: string[] } {
  const named = entries('model').filter(({ name }) => isObjectName(name));
  const [providers, aliases] = [true, false].map((wanted) =>
    named.filter((entry) => entry.isDirectory() === wanted).map(({ name }) => name),
  ) as [string[], string[]];
  return { aliases, providers };
}

function modelsOf(providers: readonly string[]): string[] {
  return providers.flatMap((provider) => objects(`model/${provider}`).map((name) => `${provider}/${name}`));
}

function paths(last: string): string[] {
  const directory = last.slice(0, last.lastIndexOf('/') + 1);
  return entries(directory.replace(/^\/?ctx\//, '')).map(
    (entry) => `${directory}${entry.name}${entry.isDirectory() ? '/' : ''}`,
  );
}

function entries(directory: string) {
  try {
    return readdirSync(`${findPlace().root}/${directory}`, { withFileTypes: true });
  } catch {
    return [];
  }
}
