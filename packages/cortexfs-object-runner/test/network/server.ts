import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaults } from '@cortexfs/abi/controls/model/default';
import { driver as driverCodec } from '@cortexfs/abi/controls/model/driver';
import type { ModelInput } from '@cortexfs/abi/model-io';
import type { NetworkDriver } from '@cortexfs/abi/provider';
import type { Test } from 'tap';
import type { ModelEvent } from '../../src/model/model.ts';
import { answer } from '../../src/network/network.ts';
import { scratch } from '../object-file.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server on a port of its own; it ends with the test, whatever is still connected. */
export async function serve(t: Test, handler: Handler): Promise<{ server: Server; url: string }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    handler(request, response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Events as a server sends them. */
export const events = (...data: (object | string)[]) =>
  data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');

/** Answers every request with one stream of events. */
export const stream =
  (text: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  };

export interface Asked {
  readonly driver?: NetworkDriver;
  readonly key?: string;
  /** Lines of the `default` control. */
  readonly parameters?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One inference in this process with `local/m` served at an address: what it yields, and its error. */
export async function ask(t: Test, base_url: string, input: ModelInput | string, asked: Asked = {}) {
  const { driver = 'openai-chat', key, parameters = '', env = {} } = asked;
  const config = scratch(t);
  mkdirSync(`${config}/cortexfs/providers.d`, { recursive: true });
  const provider = { name: 'local', base_url, driver, models: ['m'] };
  writeFileSync(`${config}/cortexfs/providers.d/local.json`, JSON.stringify(provider));
  if (key !== undefined) {
    for (const part of ['', '/provider', '/provider/local'])
      mkdirSync(`${config}/cortexfs/secrets${part}`, { mode: 0o700 });
    writeFileSync(`${config}/cortexfs/secrets/provider/local/default`, key, { mode: 0o600 });
  }
  const restore = setEnvironment({ ...NO_PROXIES, XDG_CONFIG_HOME: config, CTX_ROOT: config, ...env });
  const yielded: ModelEvent[] = [];
  const settings = {
    id: 'm',
    driver: driverCodec.parse(driver),
    effort: 'auto',
    parameters: defaults.parse(parameters),
  } as const;
  const question: ModelInput =
    typeof input === 'string' ? { messages: [{ role: 'user', content: input }] } : input;
  try {
    for await (const event of answer({ path: 'model/local/m', driver, settings, input: question }))
      yielded.push(event);
    return { yielded, error: undefined };
  } catch (error) {
    return { yielded, error };
  } finally {
    restore();
  }
}

const NO_PROXIES = Object.fromEntries(
  ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'].map((name) => [
    name,
    undefined,
  ]),
);

function setEnvironment(values: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  assign(values);
  return () => assign(before);
}

function assign(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
