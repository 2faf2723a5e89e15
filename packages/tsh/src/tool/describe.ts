import { join } from 'node:path';
import { readSmallFile } from '../place/small-file.ts';
import { controlsOf, type Tool } from './tool.ts';

/** What a tool says of itself. Text of its controls, never trusted with anything. */
export interface ToolDescription {
  name: string;
  path: string;
  description: string;
  /** JSON schema of its input as text; empty when it has none. */
  schema: string;
}

export function describeTool(tool: Tool): ToolDescription {
  const control = (file: string): string => {
    try {
      return readSmallFile(join(controlsOf(tool), file), file)?.trim() ?? '';
    } catch {
      // A tool whose description is unusable is still a tool.
      return '';
    }
  };
  return { name: tool.name, path: tool.file, description: control('description'), schema: control('schema') };
}
