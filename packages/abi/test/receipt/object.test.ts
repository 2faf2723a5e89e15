import fc from 'fast-check';
import t from 'tap';
import {
  formatObjectReceipt,
  MAX_OBJECT_RECEIPT_BYTES,
  type ObjectReceipt,
  parseObjectReceipt,
} from '../../src/receipt/object.ts';
import * as arbitrary from '../arbitrary.ts';
import { holds } from '../property.ts';

const sha256 = 'a'.repeat(64);
const common = {
  class: 'tool',
  name: 'example.echo',
  tier: 'user',
  executable: { dev: 64769, ino: 1234567, sha256 },
  control: { dev: 64769, ino: 1234568 },
};
const v1 = { schema: 'cortexfs.object-install/v1', object_schema: 'cortexfs.object/v1', ...common };
const v2 = {
  schema: 'cortexfs.object-install/v2',
  object_schema: 'cortexfs.object/v2',
  object_version: '0.1.0',
  cortexfs_requirement: '>=0.1.7, <0.2.0',
  ...common,
};

for (const [version, receipt] of Object.entries({ v1, v2 })) {
  t.test(`a ${version} object receipt is one line and comes back`, async (t) => {
    const line = `${JSON.stringify(receipt)}\n`;
    const parsed = parseObjectReceipt(line);
    t.equal(formatObjectReceipt(parsed), line);
    t.equal(parsed.executable.ino, 1234567n);
    t.equal(parsed.control.ino, 1234568n);
    t.equal(parsed.name, 'example.echo');
  });

  t.test(`a ${version} object receipt without one of its fields is refused`, async (t) => {
    for (const key of Object.keys(receipt)) {
      const part = { ...receipt, [key]: undefined };
      t.throws(() => parseObjectReceipt(JSON.stringify(part)), {
        code: 'EINVAL',
        message: `invalid object receipt: the field "${key}" is missing`,
      });
    }
  });
}

const refused: [string, object, RegExp][] = [
  ['an unknown schema', { ...v2, schema: 'cortexfs.object-install/v3' }, /unknown schema/],
  ['an unknown field', { ...v2, extra: 1 }, /unknown field "extra"/],
  ['an unknown field of the executable', { ...v2, executable: { ...v2.executable, size: 1 } }, /"size"/],
  ['an unknown field of the control directory', { ...v2, control: { ...v2.control, sha256 } }, /"sha256"/],
  ['a version in v1', { ...v1, object_version: '0.1.0' }, /unknown field "object_version"/],
  ['a requirement in v1', { ...v1, cortexfs_requirement: '*' }, /unknown field "cortexfs_requirement"/],
  [
    'the manifest schema of the other version in v1',
    { ...v1, object_schema: v2.object_schema },
    /object_schema/,
  ],
  [
    'the manifest schema of the other version in v2',
    { ...v2, object_schema: v1.object_schema },
    /object_schema/,
  ],
  ['a version that is none', { ...v2, object_version: '1' }, /object_version/],
  ['a requirement that is none', { ...v2, cortexfs_requirement: '1 - 2' }, /cortexfs_requirement/],
  ['a model', { ...v2, class: 'model' }, /"class"/],
  ['a bad name', { ...v2, name: '../x' }, /"name"/],
  ['an unknown tier', { ...v2, tier: 'home' }, /"tier"/],
  ['a digest in capitals', { ...v2, executable: { ...v2.executable, sha256: 'A'.repeat(64) } }, /sha256/],
  ['a short digest', { ...v2, executable: { ...v2.executable, sha256: 'a'.repeat(63) } }, /sha256/],
  ['a negative inode', { ...v2, control: { dev: 1, ino: -1 } }, /"control.ino"/],
  ['a broken inode', { ...v2, control: { dev: 1, ino: 1.5 } }, /"control.ino"/],
  ['an inode that a JSON number rounds', { ...v2, control: { dev: 1, ino: 2 ** 53 } }, /"control.ino"/],
  ['a small inode as a string', { ...v2, control: { dev: 1, ino: '7' } }, /"control.ino"/],
  ['an exact inode as a string', { ...v2, control: { dev: 1, ino: '9007199254740991' } }, /"control.ino"/],
  ['an inode over 64 bits', { ...v2, control: { dev: 1, ino: '18446744073709551616' } }, /"control.ino"/],
  ['a device that is null', { ...v2, executable: { ...v2.executable, dev: null } }, /"executable.dev"/],
];

for (const [what, value, message] of refused) {
  t.test(`an object receipt with ${what} is refused`, async (t) => {
    t.throws(() => parseObjectReceipt(JSON.stringify(value)), { code: 'EINVAL', message });
  });
}

t.test('a receipt that is no single line of JSON is refused', async (t) => {
  const line = JSON.stringify(v2);
  const texts = ['', '{', '[]', 'null', line.slice(0, -3), `${line}\n${line}\n`, `${line}\n\n`, `\n${line}`];
  for (const json of texts)
    t.throws(() => parseObjectReceipt(json), { code: 'EINVAL' }, JSON.stringify(json));
  t.throws(() => parseObjectReceipt(line.replace('{', '{"tier":"user",')), {
    message: /duplicate key "tier"/,
  });
});

t.test('a receipt has at most 16 KiB', async (t) => {
  const padded = (bytes: number) => {
    const line = JSON.stringify(v2);
    return `${line.slice(0, -1)}${' '.repeat(bytes - Buffer.byteLength(line))}}`;
  };
  t.equal(parseObjectReceipt(padded(MAX_OBJECT_RECEIPT_BYTES)).tier, 'user');
  t.throws(() => parseObjectReceipt(padded(MAX_OBJECT_RECEIPT_BYTES + 1)), { code: 'EMSGSIZE' });
});

t.test('property: object receipts come back, with numbers to 2^64 - 1', async (t) => {
  const number = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat().map(BigInt));
  const inode = fc.record({ dev: number, ino: number });
  const any = fc.record({
    class: fc.constantFrom('tool' as const, 'agent' as const),
    name: arbitrary.objectName,
    tier: fc.constantFrom('user' as const, 'system' as const),
    executable: inode.map((ids) => ({ ...ids, sha256 })),
    control: inode,
  });
  holds(
    t,
    fc.property(any, fc.boolean(), (fields, first) => {
      const receipt = (first ? { ...v1, ...fields } : { ...v2, ...fields }) as ObjectReceipt;
      const line = formatObjectReceipt(receipt);
      const again = parseObjectReceipt(line);
      return (
        formatObjectReceipt(again) === line &&
        again.executable.dev === receipt.executable.dev &&
        again.control.ino === receipt.control.ino
      );
    }),
  );
});

t.test('property: any object receipt is read or refused', async (t) => {
  const near = arbitrary.nearFrame(Object.keys(v2)).map((extra) => JSON.stringify({ ...v2, ...extra }));
  holds(
    t,
    fc.property(near, (json) => arbitrary.parsesOrRefuses(() => parseObjectReceipt(json))),
  );
});
