import { controlNames } from '@cortexfs/abi/controls/registry';
import { INVOCATION_SCHEMA } from '@cortexfs/abi/invocation';
import { MANIFEST_SCHEMAS } from '@cortexfs/abi/manifest';
import { ROOT_ENTRIES } from '@cortexfs/abi/paths';
import { PERMISSIONS } from '@cortexfs/abi/policy';
import { CLEANUP_SCHEMA } from '@cortexfs/abi/receipt/cleanup';
import { LAUNCH_SCHEMA } from '@cortexfs/abi/receipt/launch';
import { MOUNT_SCHEMA } from '@cortexfs/abi/receipt/mount';
import { OBJECT_RECEIPT_SCHEMAS } from '@cortexfs/abi/receipt/object';
import { VERSION } from '@cortexfs/abi/version';
import type { Invocation } from '../command/command.ts';

/** `ctx abi`: what this version speaks: root entries, controls of each class, permissions, schemas. */
export async function run({ json }: Invocation): Promise<number> {
  const schemas = [
    INVOCATION_SCHEMA,
    ...MANIFEST_SCHEMAS,
    ...OBJECT_RECEIPT_SCHEMAS,
    LAUNCH_SCHEMA,
    MOUNT_SCHEMA,
    CLEANUP_SCHEMA,
  ];
  const controls = { agent: controlNames('agent'), tool: controlNames('tool'), model: controlNames('model') };
  const facts = {
    version: VERSION,
    agent_abi: 'sdk-envelope-v1',
    root: ROOT_ENTRIES,
    controls,
    permissions: PERMISSIONS,
    schemas,
  };
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : textOf(facts));
  return 0;
}

function textOf(facts: object, prefix = ''): string {
  return Object.entries(facts)
    .map(([key, value]) => {
      const name = prefix + key;
      if (typeof value === 'string') return `${name.padEnd(20)} ${value}\n`;
      if (Array.isArray(value)) return `${name.padEnd(20)} ${value.join(' ')}\n`;
      return textOf(value as object, `${name}.`);
    })
    .join('');
}
