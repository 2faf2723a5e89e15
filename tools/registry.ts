import type { Tool } from './tool.ts';

/** The built-in tools. Each is its own chunk of the bundle: running one loads no other. */
const tools: Readonly<Record<string, () => Promise<{ readonly tool: Tool }>>> = {
  'fs.list': () => import('./fs.list/tool.ts'),
  'fs.read': () => import('./fs.read/tool.ts'),
  'fs.stat': () => import('./fs.stat/tool.ts'),
  tsh: () => import('./tsh/tool.ts'),
};

export const builtInTools: readonly string[] = Object.keys(tools);

/** The tool of that name, undefined when none is built in. */
export async function loadTool(name: string): Promise<Tool | undefined> {
  return Object.hasOwn(tools, name) ? (await tools[name]!()).tool : undefined;
}
