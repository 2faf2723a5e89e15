/** A tool that the session has loaded in its tool shell. */
export interface InjectedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input, as compact text; empty when it has none. */
  readonly schema: string;
  /** Pinned tools stay, whatever the window. */
  readonly pinned: boolean;
}

/** What the model learns of the loaded tools; empty without any. */
export function renderInjection(tools: readonly InjectedTool[]): string {
  if (tools.length === 0) return '';
  const lines = tools.map(({ name, description, schema }) =>
    [`- ${name}: ${description}`, ...(schema === '' ? [] : [`  input: ${schema}`])].join('\n'),
  );
  return ['Tools loaded in tsh (run them as: tsh NAME INPUT):', ...lines].join('\n');
}

/** The tools without the unpinned one that would leave the tool context first; undefined when all are pinned. */
export function withoutLast(tools: readonly InjectedTool[]): readonly InjectedTool[] | undefined {
  const last = tools.findLastIndex(({ pinned }) => !pinned);
  return last < 0 ? undefined : tools.toSpliced(last, 1);
}
