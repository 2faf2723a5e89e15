import type { OpenedObject } from '../object.ts';
import { openArtifact } from './artifact.ts';

/** Becomes an installed tool; undefined when the tool is none. A refusal is told in frames, as every tool tells its own. */
export async function runPluginTool(
  { name, file }: OpenedObject,
  args: readonly string[],
): Promise<number | undefined> {
  const path = `tool/${name}`;
  try {
    const artifact = openArtifact(file, path);
    if (artifact === undefined) return undefined;
    return (await import('./run.ts')).becomePlugin({ artifact, file, path, args });
  } catch (error) {
    const { ToolFrames } = await import('../tool/frames.ts');
    const { currentRun } = await import('../run-id.ts');
    return new ToolFrames(currentRun()).fail(error);
  }
}
