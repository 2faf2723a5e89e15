import { spawn } from 'node:child_process';
import type { Measured, Order } from './client.ts';

const client = new URL('./client.ts', import.meta.url).pathname;

/** Has another process measure: this one must not wait for a mount that it may be needed for. */
export async function measure(order: Order): Promise<Measured> {
  const args = ['--import', 'tsx', client, JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`the client ended with ${code}`)),
    );
  });
  return JSON.parse(said) as Measured;
}
