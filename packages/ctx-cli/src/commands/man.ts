import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CortexError } from '@cortexfs/abi/errors';
import type { Invocation } from '../command/command.ts';

/** The pages that are built in beside this bin. */
const PAGES = fileURLToPath(new URL('./man', import.meta.url));

/** `ctx man [TOPIC]`: the pages of the ABI, or one of them. */
export async function run({ operands: [topic], json }: Invocation): Promise<number> {
  const topics = readdirSync(PAGES)
    .map((file) => file.replace(/\.md$/, ''))
    .sort();
  if (topic === undefined) {
    const pages = topics.map((name) => ({ name, title: titleOf(pageOf(name)) }));
    if (json) process.stdout.write(`${JSON.stringify(pages)}\n`);
    else for (const { name, title } of pages) process.stdout.write(`${name.padEnd(18)} ${title}\n`);
    return 0;
  }
  if (!topics.includes(topic))
    throw new CortexError('ENOENT', `there is no page ${JSON.stringify(topic)}`, {
      hint: 'ctx man lists them',
    });
  process.stdout.write(json ? `${JSON.stringify({ name: topic, text: pageOf(topic) })}\n` : pageOf(topic));
  return 0;
}

function pageOf(topic: string): string {
  return readFileSync(`${PAGES}/${topic}.md`, 'utf8');
}

function titleOf(page: string): string {
  return /^# (.*)$/m.exec(page)?.[1] ?? '';
}
