import { CortexError } from '@cortexfs/abi/errors';
import { agentControl, SANDBOX, TERMINAL_ENVIRONMENT } from '@cortexfs/abi/paths';
import type { AgentDefinition } from '../definition/definition.ts';

/**
 * The whole environment of a sandboxed process: the fixed allowlist, the agent's `env` control, and what the launcher
 * adds under `CTX_`. Nothing comes from the launcher's own environment (docs/sandbox.md).
 */
export function environmentOf(
  definition: AgentDefinition,
  extras: Readonly<Record<string, string>> = {},
): Map<string, string> {
  const environment = new Map(ownVariables(definition));
  for (const [name, value] of allowlist(definition)) environment.set(name, value);
  for (const [name, value] of Object.entries(extras)) {
    if (!/^CTX_[A-Z0-9_]+$/.test(name) || value.includes('\0') || environment.has(name)) {
      throw new CortexError('EINVAL', `the launcher may not set ${JSON.stringify(name)}`, {
        layer: 'sandbox',
      });
    }
    environment.set(name, value);
  }
  return environment;
}

function allowlist(definition: AgentDefinition): [string, string][] {
  const { name, owner, label, path } = definition;
  return [
    ['CTX_ROOT', SANDBOX.root],
    ['CTX_HOME', `${SANDBOX.root}/home/${owner}`],
    ['CTX_AGENT', name],
    ['CTX_AGENT_SUBJECT', label.subject],
    // Absent rather than empty: an empty list of directories means something else to a path search.
    ...(path.length > 0 ? [['CTX_PATH', path.join(':')] satisfies [string, string]] : []),
    ['PATH', '/usr/bin:/bin'],
    ['HOME', SANDBOX.home],
    ['USER', name],
    ['LOGNAME', name],
    ['SHELL', '/usr/bin/bash'],
    ['TERM', 'xterm-256color'],
    ['LANG', 'C.UTF-8'],
  ];
}

/** The host's names, and those that make an interpreter or the dynamic linker run something else. */
const RESERVED = new Set<string>([...TERMINAL_ENVIRONMENT, 'NODE_OPTIONS', 'BASH_ENV', 'ENV']);

function ownVariables({ name: agent, env }: AgentDefinition): Iterable<[string, string]> {
  for (const name of env.keys()) {
    if (name.startsWith('LD_') || RESERVED.has(name)) {
      throw new CortexError('EINVAL', `sets ${name}, which only the runtime may set`, {
        path: agentControl(agent, 'env'),
        layer: 'control',
        hint: `remove the line that begins with ${name}=`,
      });
    }
  }
  return env;
}
