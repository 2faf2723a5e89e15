import { CortexError, withContext } from '@cortexfs/abi/errors';
import { parseJsonObject } from '@cortexfs/abi/json';
import type { FrameTool, InputFault } from '@cortexfs/tools/tool.ts';

type Inputs = Pick<FrameTool, 'check' | 'bareWord'>;

/** A tool's input from text: JSON that its schema accepts, or the bare word for its one required string. */
export function parseToolInput(tool: Inputs, text: string): unknown {
  return checkInput(tool, text.trimStart().startsWith('{') ? jsonInput(text) : bareInput(tool, text));
}

/** JSON typed without quotes around it reaches a tool without its own: the shell took them. */
function jsonInput(text: string): unknown {
  try {
    return parseJsonObject(text);
  } catch (error) {
    if (!(error instanceof CortexError) || text.includes('"')) throw error;
    throw withContext(error, { hint: 'quote the JSON for the shell: \'{"NAME":"VALUE"}\'' });
  }
}

/** The value itself when the tool's schema accepts it. */
export function checkInput({ check }: Pick<Inputs, 'check'>, input: unknown): unknown {
  if (check(input)) return input;
  throw invalid(faultText(check.errors?.[0]));
}

function bareInput({ bareWord }: Inputs, text: string): Record<string, string> {
  const word = text.replace(/\n$/, '');
  if (word === '') throw invalid('it is empty');
  if (bareWord === null) throw invalid('expected a JSON object');
  return { [bareWord]: word };
}

function faultText(fault: InputFault | undefined): string {
  if (fault === undefined) return 'it does not match the schema';
  const { instancePath, keyword, params, message = keyword } = fault;
  const where = instancePath === '' ? '' : `"${instancePath.slice(1).replaceAll('/', '.')}" `;
  if (keyword === 'required') return `${where}the property "${params['missingProperty']}" is missing`;
  if (keyword === 'additionalProperties') {
    return `${where}the property ${JSON.stringify(params['additionalProperty'])} is unknown`;
  }
  if (keyword === 'enum') return `${where}must be one of ${JSON.stringify(params['allowedValues'])}`;
  return `${where}${message}`;
}

function invalid(why: string): CortexError {
  return new CortexError('EINVAL', `invalid input: ${why}`, {
    layer: 'tool',
    hint: 'see --help or the control "schema"',
  });
}
