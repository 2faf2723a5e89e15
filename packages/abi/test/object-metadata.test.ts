import fc from 'fast-check';
import t from 'tap';
import type { ModelId, ObjectName } from '../src/names.ts';
import {
  checkRunner,
  DEFAULT_RUNNER,
  formatObjectMetadata,
  MODEL_FIELDS,
  type ObjectMetadata,
  parseObjectMetadata,
} from '../src/object-metadata.ts';
import { hostileText, objectName, parsesOrRefuses } from './arbitrary.ts';
import { holds } from './property.ts';

const tool: ObjectMetadata = { runner: DEFAULT_RUNNER, class: 'tool', name: 'fs.read' as ObjectName };
const model: ObjectMetadata = {
  runner: '/opt/x/cortexfs-object-runner',
  class: 'model',
  name: 'debug/echo' as ModelId,
  fields: { id: 'echo', driver: 'debug', cap: 'chat,stream', limit: 'unknown' },
};

t.test('an object reads as its interpreter, class and name', async (t) => {
  t.equal(
    formatObjectMetadata(tool),
    '#!/usr/bin/cortexfs-object-runner\n# cortexfs.object=tool\n# cortexfs.name=fs.read\n',
  );
  t.same(parseObjectMetadata(formatObjectMetadata(tool)), tool);
});

t.test('a model shows its listing fields, in one order', async (t) => {
  t.equal(
    formatObjectMetadata(model),
    '#!/opt/x/cortexfs-object-runner\n# cortexfs.object=model\n# cortexfs.name=debug/echo\n' +
      '# cortexfs.id=echo\n# cortexfs.driver=debug\n# cortexfs.cap=chat,stream\n# cortexfs.limit=unknown\n',
  );
  t.same(parseObjectMetadata(formatObjectMetadata(model)), model);
});

t.test('other lines and fields are ignored', async (t) => {
  const text = `${formatObjectMetadata(tool)}# a note\n# cortexfs.later=1\n\n#cortexfs.name=evil\necho hi\n`;
  t.same(parseObjectMetadata(text), tool);
});

t.test('wrong metadata is EINVAL with its reason', async (t) => {
  const head = '#!/r\n# cortexfs.object=tool\n';
  const faults: [string, RegExp][] = [
    ['', /first line/],
    ['# cortexfs.object=tool\n# cortexfs.name=x\n', /first line/],
    ['#! /r\n# cortexfs.object=tool\n# cortexfs.name=x\n', /first line/],
    ['#!/r\n# cortexfs.name=x\n', /"# cortexfs.object=CLASS" is missing/],
    ['#!/r\n# cortexfs.object=hook\n# cortexfs.name=x\n', /unknown class "hook"/],
    [head, /"# cortexfs.name=NAME" is missing/],
    [`${head}# cortexfs.name=../x\n`, /not a valid object name/],
    [`${head}# cortexfs.name=a/b\n`, /not a valid object name/],
    ['#!/r\n# cortexfs.object=model\n# cortexfs.name=main\n', /expected provider\/model/],
  ];
  for (const [text, message] of faults)
    t.throws(() => parseObjectMetadata(text), { code: 'EINVAL', message });
  t.throws(() => parseObjectMetadata(`${head}# cortexfs.name=x\n# cortexfs.name=y\n`), {
    code: 'EINVAL',
    line: 4,
    message: /twice/,
  });
});

t.test('a runner that the kernel could not start is refused', async (t) => {
  checkRunner(`/${'r'.repeat(252)}`);
  t.throws(() => checkRunner(`/${'r'.repeat(253)}`), { code: 'ENAMETOOLONG', hint: /shorter path/ });
  for (const runner of ['bin/r', '', '/home/Ann Lee/r', '/a\tb', '/a\nb'])
    t.throws(() => formatObjectMetadata({ ...tool, runner }), {
      code: 'EINVAL',
      message: /not an absolute path without blanks/,
    });
});

t.test('a field cannot add a line', async (t) => {
  for (const id of ['a\n# cortexfs.driver=evil', 'a\rb', 'a\0'])
    t.throws(() => formatObjectMetadata({ ...model, fields: { id } }), {
      code: 'EINVAL',
      message: /does not fit on one line/,
    });
});

t.test('property: metadata come back', async (t) => {
  const value = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r\0]/.test(text));
  const fields = fc.record(Object.fromEntries(MODEL_FIELDS.map((key) => [key, value])), { requiredKeys: [] });
  holds(
    t,
    fc.property(objectName, objectName, fields, (provider, name, fields) => {
      const metadata = { ...model, name: `${provider}/${name}` as ModelId, fields };
      const text = formatObjectMetadata(metadata);
      return formatObjectMetadata(parseObjectMetadata(text)) === text;
    }),
  );
});

t.test('property: anything is read or refused', async (t) => {
  const lines = fc.oneof(
    hostileText,
    fc.constantFrom('#!/r', '# cortexfs.object=tool', '# cortexfs.name=x', '# cortexfs.id='),
  );
  holds(
    t,
    fc.property(fc.array(lines), (parts) => parsesOrRefuses(() => parseObjectMetadata(parts.join('\n')))),
  );
});
