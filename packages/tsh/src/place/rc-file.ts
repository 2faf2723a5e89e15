import { CortexError } from '@cortexfs/abi/errors';

/** The value of CTX_PATH in a `.tshrc`, undefined when it sets none. Data only: nothing in it is ever run. EINVAL names the line. */
export function parseRcFile(text: string): string | undefined {
  let value: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const assigned = /^CTX_PATH=(.*)$/.exec(line);
    if (!assigned)
      throw invalid(index + 1, 'only blank lines, # comments and one CTX_PATH=DIR:DIR are allowed');
    if (value !== undefined) throw invalid(index + 1, 'CTX_PATH is set a second time');
    value = assigned[1]!;
  }
  return value;
}

function invalid(line: number, why: string): CortexError {
  return new CortexError('EINVAL', why, { line, path: '.tshrc' });
}
