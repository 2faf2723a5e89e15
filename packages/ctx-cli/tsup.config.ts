import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { singleFileBundle } from '../../tsup.base.ts';

const checkout = join(import.meta.dirname, '../..');
const reference = join(import.meta.dirname, 'dist/reference');

/** A built-in tool's folder holds its code too; these files of it are its controls. */
const toolControls = ['name', 'description', 'schema', 'cap', 'policy'];

export default singleFileBundle(import.meta.dirname, copyReferenceObjects);

/** The reference agents and the controls of the built-in tools travel with the bin that writes them into a store. */
function copyReferenceObjects() {
  copyPages();
  rmSync(reference, { recursive: true, force: true });
  cpSync(join(checkout, 'agents'), join(reference, 'agent'), { recursive: true });
  for (const tool of readdirSync(join(checkout, 'tools')).filter(isTool)) {
    for (const control of toolControls)
      cpSync(join(checkout, 'tools', tool, control), join(reference, 'tool', tool, control));
  }
}

/** The pages that `ctx man` shows. */
function copyPages() {
  cpSync(join(checkout, 'docs'), join(import.meta.dirname, 'dist/man'), { recursive: true, filter: isPage });
}

function isPage(path: string): boolean {
  return !path.endsWith('README.md') && (path.endsWith('.md') || path.endsWith('docs'));
}

function isTool(folder: string): boolean {
  return existsSync(join(checkout, 'tools', folder, 'policy'));
}
