import { jsonObject } from '../json.ts';

/** `tool/NAME.d/mcp`: which MCP server and tool stand behind a projected tool (docs/controls.md). */
export const mcp = jsonObject;
