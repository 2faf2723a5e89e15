import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { MAX_CONTROL_BYTES } from '@cortexfs/abi/controls/codec';
import type { SessionName } from '@cortexfs/abi/names';
import { agentControl, homeAgent, SANDBOX } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../../definition/definition.ts';
import { seesWorkspace } from '../authority/workspace.ts';
import { readBeneath } from '../beneath.ts';
import type { HostContext } from '../host-context.ts';
import { loadedTools } from './loaded-tools.ts';
import type { PromptParts } from './render.ts';
import { collectRules, directoriesDownTo, MAX_RULES_BYTES, type RulesSource } from './rules.ts';
import { readSkill, type SkillMetadata } from './skills.ts';
import type { EffectiveWindow } from './window.ts';

const MAX_SKILLS = 256;

/** Where a prompt is gathered from. */
export interface PromptPlace extends Pick<HostContext, 'agent' | 'config' | 'workspace'> {
  readonly store: string;
  readonly session: SessionName;
  /** Where the agent works, as it sees it. */
  readonly cwd: string;
}

/** What the system message is made of, all of it as it is now. `history` is for templates that ask for it. */
export function gatherParts(
  place: PromptPlace,
  definition: AgentDefinition,
  window: EffectiveWindow,
  history: PromptParts['history'],
): PromptParts {
  const { agent, store, session } = place;
  const control = (name: string) => readBeneath(store, agentControl(agent, name), MAX_CONTROL_BYTES);
  return {
    agent,
    template: control('prompt.template.md'),
    instructions: control('system.md'),
    rules: collectRules(rulesSources(place, definition)),
    skills: collectSkills(place, definition),
    injected: loadedTools(store, definition, session),
    history,
    tools: definition.tools,
    now: Math.floor(Date.now() / 1000),
    windowChars: window.chars,
  };
}

/** The owner's own rules first, then the project's, as far as the agent may see the project at all. */
function rulesSources({ config, workspace, cwd }: PromptPlace, definition: AgentDefinition): RulesSource[] {
  const global = { title: 'global', directories: [''], read: (path: string) => readRules(config, path) };
  if (workspace === null || !seesWorkspace(definition)) return [global];
  const inside = posix.relative(SANDBOX.workspace, cwd);
  const directories = directoriesDownTo(inside.startsWith('..') ? '' : inside);
  return [
    global,
    { title: SANDBOX.workspace, directories, read: (path: string) => readRules(workspace, path) },
  ];
}

function readRules(base: string, path: string): string | undefined {
  return readBeneath(base, path, MAX_RULES_BYTES, 'path');
}

function collectSkills(
  { store, agent, workspace }: PromptPlace,
  definition: AgentDefinition,
): SkillMetadata[] {
  const home = join(store, homeAgent(definition.owner, agent));
  const own = { base: home, folder: 'skills', shown: SANDBOX.home };
  const project = { base: workspace ?? '', folder: '.agents/skills', shown: SANDBOX.workspace };
  const places = workspace !== null && seesWorkspace(definition) ? [project, own] : [own];
  return places.flatMap(({ base, folder, shown }) =>
    namesIn(join(base, folder)).flatMap((name) => {
      const path = `${folder}/${name}/SKILL.md`;
      const text = readOrSkip(base, path);
      return text === undefined ? [] : [readSkill(text, name, `${shown}/${path}`)];
    }),
  );
}

function readOrSkip(base: string, path: string): string | undefined {
  try {
    return readBeneath(base, path, MAX_RULES_BYTES, 'path');
  } catch {
    // A skill that cannot be read is one that the model does not learn of.
    return undefined;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort().slice(0, MAX_SKILLS);
  } catch {
    return [];
  }
}
