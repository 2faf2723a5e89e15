import { fromNodeError } from '@cortexfs/abi/errors';
import { standIn } from '@cortexfs/linux/stand-in';

/**
 * Gives standard input, output and error to another program, as exec would, and resolves to its exit code
 * (128 + signal when one ended it).
 */
export async function takeOver(program: string, args: readonly string[]): Promise<number> {
  try {
    return await standIn(program, args, { stdio: 'inherit' }).ended;
  } catch (err) {
    throw fromNodeError(err, { path: program });
  }
}
