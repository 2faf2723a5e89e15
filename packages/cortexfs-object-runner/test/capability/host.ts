import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '@cortexfs/abi/json';
import { encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import type { Test } from 'tap';
import { scratch } from '../object-file.ts';

/** What a test's host answers to one request: frames, which get the request's id, or raw bytes. */
export type Script = (request: JsonObject, peer: Peer) => void;

export interface Peer {
  frame(frame: object): void;
  raw(bytes: string): void;
  end(): void;
}

export interface Host {
  readonly path: string;
  readonly requests: JsonObject[];
}

/** A capability socket whose answers the test writes. */
export async function host(t: Test, script: Script): Promise<Host> {
  const path = join(scratch(t), 'control.sock');
  const requests: JsonObject[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const decoder = new FrameDecoder();
    socket.on('data', (chunk: Buffer) => {
      for (const frame of decoder.push(chunk)) {
        if (!frame.ok) throw frame.error;
        requests.push(frame.value);
        script(frame.value, peerOf(socket, frame.value));
      }
    });
  });
  server.listen(path);
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { path, requests };
}

function peerOf(socket: Socket, request: JsonObject): Peer {
  return {
    frame: (frame) => socket.write(encodeFrame({ ...frame, request_id: request['request_id'] })),
    raw: (bytes) => socket.write(bytes),
    end: () => socket.end(),
  };
}
