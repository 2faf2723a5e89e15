import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import type { NetworkDriver } from '@cortexfs/abi/provider';
import type { Test } from 'tap';

/** Where each driver finds its wire shape on the mock server. */
export const BASES: Readonly<Record<NetworkDriver, string>> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '/v1',
  google: '/v1beta',
};
export const DRIVERS = Object.keys(BASES) as NetworkDriver[];

/** The usual answer, and the models of a driver: one with the usual limits, and one that gives up soon. */
export const ANSWER = 'All of this is one answer, in many pieces.';
export const good = (driver: NetworkDriver) => `good-${driver}`;
export const hasty = (driver: NetworkDriver) => `hasty-${driver}`;

/** The same counts in each wire's words. */
const USAGE = {
  input_tokens: 7,
  output_tokens: 11,
  prompt_tokens: 7,
  completion_tokens: 11,
  promptTokenCount: 7,
  candidatesTokenCount: 11,
};

/** Headers by which keys travel. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

/**
 * A provider server from npm that speaks every wire shape, told what to say to which message. Below `/garbled` it is our own: events
 * that are no JSON, and it keeps the keys that it was sent.
 */
export class MockProvider {
  readonly server = new LLMock({ port: 0 });
  readonly keys: string[] = [];
  /** Processes that held one of the keys while a request was being answered. */
  readonly seen: string[] = [];

  static async start(t: Test): Promise<MockProvider> {
    const mock = new MockProvider();
    mock.server.mount('/garbled', { handleRequest: (request, response) => mock.#garble(request, response) });
    await mock.server.start();
    t.teardown(() => mock.server.stop());
    return mock;
  }

  /** What it says to whom. `held` are looked for in processes while it answers; `file` is what it tries to have read. */
  teach({ held, file }: { held: readonly string[]; file: string }): void {
    const { server } = this;
    const on = server.onMessage.bind(server);
    const refused = (status: number, message: string, retryAfter?: number) =>
      retryAfter === undefined ? { error: { message }, status } : { error: { message }, status, retryAfter };
    on('one word', { content: 'ready' });
    on(
      'stream',
      () => {
        this.seen.push(...held.flatMap(processesHolding));
        return { content: ANSWER, reasoning: 'Let me see.', usage: USAGE };
      },
      { chunkSize: 4 },
    );
    on('who are you', refused(401, `bad key ${held.join(' ')}`));
    on('come back never', refused(429, 'slow down', 7200));
    for (const driver of DRIVERS) {
      server.on({ userMessage: `come back soon ${driver}`, sequenceIndex: 0 }, refused(429, 'slow down', 1));
      on(`come back soon ${driver}`, { content: ANSWER });
      server.on({ userMessage: `stumble ${driver}`, sequenceIndex: 0 }, refused(500, 'oops'));
      on(`stumble ${driver}`, { content: ANSWER });
      server.on({ userMessage: `fall back ${driver}`, model: good(driver) }, refused(503, 'down'));
    }
    on('fall back', { content: 'I am the second.' });
    on('stall', { content: ANSWER }, { chunkSize: 8, streamingProfile: { ttft: 1, tps: 0.5 } });
    on('cut', { content: ANSWER }, { chunkSize: 4, truncateAfterChunks: 6 });
    on('no events', { content: ANSWER }, { chaos: { malformedRate: 1 } });
    this.#callsTools('look around', 'I have looked.', [
      ['fs_list', '{"path":"/workspace"}'],
      ['tsh', JSON.stringify({ args: ['fs.read', file] })],
    ]);
    this.#callsTools('stutter', 'I see what was wrong.', [['fs_list', '{"path":']]);
  }

  #callsTools(userMessage: string, content: string, calls: readonly (readonly [string, string])[]): void {
    const toolCalls = calls.map(([name, args]) => ({ name, arguments: args }));
    this.server.on({ userMessage, hasToolResult: false }, { toolCalls });
    this.server.on({ userMessage, hasToolResult: true }, { content });
  }

  base(driver: NetworkDriver, garbled = false): string {
    return `${this.server.url}${garbled ? '/garbled' : ''}${BASES[driver]}`;
  }

  /** How often a model was asked this. */
  count(model: string, message: string): number {
    return this.bodies(model, message).length;
  }

  /** What a model was asked, the requests whose last user message holds the text. */
  bodies(model: string, message: string): Conversation[] {
    return this.server
      .getRequests()
      .map(({ body }) => body as unknown as Conversation)
      .filter((body) => body?.model === model)
      .filter(({ messages }) => textOf(messages.findLast(({ role }) => role === 'user')).includes(message));
  }

  async #garble(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    this.keys.push(...KEY_HEADERS.flatMap((name) => request.headers[name] ?? []));
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"broken\n\n');
    return true;
  }
}

/** A request as the server keeps it, in one shape for all wires. */
export interface Conversation {
  readonly model: string;
  readonly messages: readonly {
    role: string;
    content: unknown;
    tool_call_id?: string;
    tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  }[];
  readonly tools?: readonly { function: { name: string; description?: string; parameters?: object } }[];
}

function textOf(message: Conversation['messages'][number] | undefined): string {
  return typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content ?? '');
}

/** Processes with the text in their arguments or their environment, as the kernel shows them. */
export function processesHolding(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) =>
      ['cmdline', 'environ']
        .filter((file) => contentOf(`/proc/${pid}/${file}`).includes(text))
        .map((file) => `${pid}/${file}`),
    );
}

/** Files below a folder that hold the text. */
export function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((path) => contentOf(path).includes(text));
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended meanwhile, or nobody may read it.
    return '';
  }
}

/** A port where nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
