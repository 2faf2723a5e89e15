import type { SessionFiles } from '../session/session-files.ts';

/** What the model was told of rules and skills, for people to look at; a failure to write it fails nothing. */
export async function saveSnapshots(
  files: SessionFiles,
  rules: string,
  skills: string,
  log: (line: string) => void,
): Promise<void> {
  const saved = [
    ['agents', rules],
    ['skills', skills],
  ] as const;
  for (const [file, text] of saved) {
    const content = text === '' ? '' : `${text}\n`;
    try {
      await files.writeChanged(file, content);
    } catch (error) {
      log(`cannot write the session's ${file} snapshot: ${(error as Error).message}`);
    }
  }
}

/** What the last run's model got first, as `context/pack.json`: a view that can be made anew, and fails nothing either. */
export async function savePack(
  files: SessionFiles,
  messages: string,
  toolContext: string,
  log: (line: string) => void,
): Promise<void> {
  try {
    const pack = { messages: JSON.parse(messages) as unknown, tool_context: toolContext };
    await files.writeContext('pack.json', `${JSON.stringify(pack)}\n`);
  } catch (error) {
    log(`cannot write the session's context pack: ${(error as Error).message}`);
  }
}
