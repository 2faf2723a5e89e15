import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ObjectName } from '@cortexfs/abi/names';
import { formatObjectReceipt } from '@cortexfs/abi/receipt/object';

/** An object in a store as an installation leaves it: `path` is `tool/NAME`, `agent/NAME` or `home/UID/tool/NAME`. */
export function installed(
  store: string,
  path: string,
  artifact: string | Uint8Array,
  controls: Record<string, string>,
): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const file = `${store}/${path}`;
  mkdirSync(`${file}.d`, { recursive: true });
  for (const [control, text] of Object.entries(controls)) writeFileSync(`${file}.d/${control}`, text);
  writeFileSync(file, artifact);
  chmodSync(file, 0o755);
  const receipt = formatObjectReceipt({
    schema: 'cortexfs.object-install/v1',
    object_schema: 'cortexfs.object/v1',
    class: dirname(path).endsWith('agent') ? 'agent' : 'tool',
    name: name as ObjectName,
    tier: path.startsWith('home/') ? 'user' : 'system',
    executable: { ...inode(file), sha256: createHash('sha256').update(artifact).digest('hex') },
    control: inode(`${file}.d`),
  });
  writeFileSync(`${file}.d/.cortexfs-receipt.json`, receipt, { mode: 0o444 });
}

function inode(path: string): { dev: bigint; ino: bigint } {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { dev, ino };
}
