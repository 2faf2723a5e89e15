import { CortexError } from './errors.ts';
import { formatModelName, type ModelId, type ObjectName, parseModelName, parseObjectName } from './names.ts';

export const DEFAULT_RUNNER = '/usr/bin/cortexfs-object-runner';
export type ObjectClass = 'agent' | 'model' | 'tool';

/** What reading an executable object shows, and what its interpreter learns from it. See docs/objects.md. */
export interface ObjectMetadata {
  /** The interpreter, an absolute path without blanks. */
  runner: string;
  class: ObjectClass;
  /** `provider/model` for a model. */
  name: ObjectName | ModelId;
  /** For models, what a listing shows: id, driver, cap (comma-separated), effort, limit, session. */
  fields?: Readonly<Partial<Record<ModelField, string>>>;
}

export const MODEL_FIELDS = ['id', 'driver', 'cap', 'effort', 'limit', 'session'] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];

/** Longest first line that the kernel reads whole: 256 bytes with `#!`. */
const maxShebang = 255;

/** `#!RUNNER`, then `# cortexfs.object=CLASS`, `# cortexfs.name=NAME` and the fields, one a line. */
export function formatObjectMetadata({
  runner,
  class: className,
  name,
  fields = {},
}: ObjectMetadata): string {
  checkRunner(runner);
  const entries = [['object', className], ['name', name], ...MODEL_FIELDS.map((key) => [key, fields[key]])];
  const lines = entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `# cortexfs.${key}=${value}`);
  const bad = lines.find((line) => /[\n\r\0]/.test(line));
  if (bad !== undefined) throw invalid(`${JSON.stringify(bad)} does not fit on one line`);
  return `${[`#!${runner}`, ...lines].join('\n')}\n`;
}

/** The metadata of an object; unknown `cortexfs.` lines are ignored, EINVAL when class or name is wrong or missing. */
export function parseObjectMetadata(text: string): ObjectMetadata {
  const [shebang, ...lines] = text.split('\n');
  if (!shebang?.startsWith('#!/')) throw invalid('the first line is not "#!" and the path of the runner');
  const values = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, key, value] = /^# cortexfs\.([a-z]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    if (values.has(key)) throw invalid(`"cortexfs.${key}" appears twice`, index + 2);
    values.set(key, value);
  }
  const fields = modelFields(values);
  return {
    runner: shebang.slice(2),
    ...identity(values.get('object'), values.get('name')),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** EINVAL or ENAMETOOLONG when the kernel could not find the runner from a first line. */
export function checkRunner(runner: string): void {
  const hint = 'install it at /usr/bin, or keep the store below a shorter path without blanks';
  if (!runner.startsWith('/') || /\s/.test(runner))
    throw new CortexError(
      'EINVAL',
      `the runner ${JSON.stringify(runner)} is not an absolute path without blanks`,
      { hint },
    );
  if (Buffer.byteLength(runner) + 2 > maxShebang)
    throw new CortexError(
      'ENAMETOOLONG',
      `the runner's path is longer than ${maxShebang - 2} bytes: ${runner}`,
      { hint },
    );
}

function identity(
  className: string | undefined,
  name: string | undefined,
): Pick<ObjectMetadata, 'class' | 'name'> {
  if (className !== 'agent' && className !== 'model' && className !== 'tool')
    throw invalid(
      className === undefined
        ? 'the line "# cortexfs.object=CLASS" is missing'
        : `unknown class ${JSON.stringify(className)}`,
    );
  if (name === undefined) throw invalid('the line "# cortexfs.name=NAME" is missing');
  return {
    class: className,
    name: className === 'model' ? formatModelName(parseModelName(name)) : parseObjectName(name),
  };
}

function modelFields(values: Map<string, string>): ObjectMetadata['fields'] {
  const found = MODEL_FIELDS.filter((key) => values.has(key)).map((key) => [key, values.get(key)!]);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function invalid(why: string, line?: number): CortexError {
  return new CortexError('EINVAL', `invalid object metadata: ${why}`, { line });
}
