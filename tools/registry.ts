import type { Tool } from './tool.ts';

/** The built-in tools. Running one evaluates no other. */
const tools: Readonly<Record<string, () => Promise<{ readonly tool: Tool }>>> = {
  'agent.update': () => import('./agent.update/tool.ts'),
  bash: () => import('./bash/tool.ts'),
  'fs.list': () => import('./fs.list/tool.ts'),
  'fs.read': () => import('./fs.read/tool.ts'),
  'fs.replace': () => import('./fs.replace/tool.ts'),
  'fs.search': () => import('./fs.search/tool.ts'),
  'fs.stat': () => import('./fs.stat/tool.ts'),
  'fs.write': () => import('./fs.write/tool.ts'),
  'shell.exec': () => import('./shell.exec/tool.ts'),
  tmux: () => import('./tmux/tool.ts'),
  tsh: () => import('./tsh/tool.ts'),
  'tsh.config': () => import('./tsh.config/tool.ts'),
  zellij: () => import('./zellij/tool.ts'),
};

export const builtInTools: readonly string[] = Object.keys(tools);

/** The tool of that name, undefined when none is built in. */
export async function loadTool(name: string): Promise<Tool | undefined> {
  return Object.hasOwn(tools, name) ? (await tools[name]!()).tool : undefined;
}
