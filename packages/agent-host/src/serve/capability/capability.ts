import { lchownSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { CortexError, fromNodeError } from '@cortexfs/abi/errors';
import {
  capabilityRequestIdOf,
  type ModelUseRequest,
  parseCapabilityRequest,
} from '@cortexfs/abi/frames/capability';
import { errorFields } from '@cortexfs/abi/frames/error-fields';
import type { RunEventBody } from '@cortexfs/abi/frames/event';
import type { JsonObject } from '@cortexfs/abi/json';
import { encodeFrame, FrameDecoder } from '@cortexfs/abi/jsonl';
import type { RunId, SessionName } from '@cortexfs/abi/names';
import { runtimeTree } from '@cortexfs/abi/paths';
import { oneLine } from '@cortexfs/abi/terminal-text';
import { ensureRuntimeDir } from '@cortexfs/linux/runtime-dir';
import type { LaunchRoot } from '../../sandbox/spec.ts';
import type { HostContext } from '../host-context.ts';
import { listenSafely } from '../socket/claim.ts';
import { Farewells } from '../socket/farewell.ts';
import { Outbox } from '../socket/outbox.ts';
import { updateAgent } from './agent-update.ts';
import { CallQueue } from './call-queue.ts';
import { useModel } from './model-use.ts';
import { requireRunProcess } from './peer.ts';
import { ConsumedIds } from './request-ids.ts';
import { Turns } from './turns.ts';

export interface CapabilityIdentity {
  readonly run: RunId;
  readonly session: SessionName;
  readonly owner: number;
  /** Whom the run's processes are: the owner, but for an agent of root's with a uid of its own. */
  readonly uid: number;
  readonly gid: number;
  /** Stores an event of the run; throws when the run has been cancelled. */
  readonly record: (event: CapabilityEvent) => Promise<void>;
}

type Recorded = Extract<RunEventBody, { type: 'agent.update' | 'model.refused' }>;
/** What happens over the socket and is part of the run's history. */
export type CapabilityEvent = Recorded extends infer Event
  ? Event extends Recorded
    ? Omit<Event, 'run'>
    : never
  : never;

/** The capability socket of one run while it lasts. */
export interface Capability {
  /** Host directory that holds the socket and nothing else. */
  readonly directory: string;
  /** Processes below this one may ask from now on. */
  register(root: LaunchRoot): void;
  /** The error that a model ended with last, when its last answer was one. */
  readonly modelError: CortexError | undefined;
  close(): Promise<void>;
}

/** Operations that the ABI knows and this host does not offer. */
const NOT_OFFERED = new Set(['agent.create', 'agent.start', 'agent.stop']);

/** Opens a run's capability socket (docs/run.md, "Capability socket"). */
export async function openCapability(host: HostContext, identity: CapabilityIdentity): Promise<Capability> {
  const { runtime } = host.site;
  const directory = ensureRuntimeDir(runtime, 'run', host.agent, identity.run);
  const service = new CapabilityService(host, identity);
  const server = createServer({ pauseOnConnect: true }, (socket) => service.serve(socket));
  const path = runtimeTree(runtime).controlSocket(host.agent, identity.run);
  await listenSafely(server, path);
  giveTo(identity, directory, path);
  return {
    directory,
    register: (root) => service.roots.push(root),
    get modelError() {
      return service.modelError;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      service.close();
      await closed;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Root's socket lies where only root can go; the processes that are to use it are somebody else's. */
function giveTo({ uid, gid }: CapabilityIdentity, directory: string, socket: string): void {
  if (process.geteuid!() !== 0 || uid === 0) return;
  lchownSync(socket, uid, gid);
  lchownSync(directory, uid, gid);
}

/** Models run outside the sandbox: a run must not fill the machine with them. Further ones wait. */
const MODELS_AT_ONCE = 4;
/** Each takes a descriptor of the host, which all runs share. */
const MAX_CONNECTIONS = 64;

function tooManyConnections(): CortexError {
  return new CortexError('EAGAIN', `a run may have ${MAX_CONNECTIONS} connections`, { layer: 'socket' });
}

/** A run can ask as often as it likes; the log does not grow with it. */
const MAX_TOLD_REFUSALS = 32;

class CapabilityService {
  readonly roots: LaunchRoot[] = [];
  modelError: CortexError | undefined;
  readonly #host: HostContext;
  readonly #identity: CapabilityIdentity;
  readonly #ids = new ConsumedIds();
  readonly #models = new Turns(MODELS_AT_ONCE);
  readonly #calls = new CallQueue();
  #refusals = 0;
  readonly #sockets = new Set<Socket>();
  readonly #farewells = new Farewells();

  constructor(host: HostContext, identity: CapabilityIdentity) {
    this.#host = host;
    this.#identity = identity;
  }

  serve(socket: Socket): void {
    try {
      const { owner, uid } = this.#identity;
      requireRunProcess(socket, [owner, uid], this.roots);
      if (this.#sockets.size >= MAX_CONNECTIONS) throw tooManyConnections();
    } catch (error) {
      const refusal = fromNodeError(error, { layer: 'credentials' });
      this.#tell('capability socket', refusal);
      this.#farewells.say(socket, encodeFrame({ type: 'error', ...errorFields(refusal) }));
      return;
    }
    socket.on('error', () => {});
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    this.#read(socket);
  }

  close(): void {
    this.#farewells.end();
    for (const socket of this.#sockets) socket.destroy();
  }

  #read(socket: Socket): void {
    const outbox = new Outbox(socket);
    const decoder = new FrameDecoder();
    let turn = Promise.resolve();
    socket.on('data', (chunk) => {
      socket.pause();
      turn = turn.then(async () => {
        for (const frame of decoder.push(chunk)) {
          if (frame.ok) await this.#answer(frame.value, frame.bytes, outbox);
          else {
            this.#tell('a request', frame.error);
            await outbox.send(encodeFrame({ type: 'error', ...errorFields(frame.error) }));
          }
        }
        socket.resume();
      });
    });
    socket.resume();
  }

  /** Requests of one connection are answered one after the other. */
  async #answer(frame: JsonObject, bytes: number, outbox: Outbox): Promise<void> {
    const requestId = capabilityRequestIdOf(frame);
    const reply = (body: object) =>
      outbox.send(encodeFrame({ ...body, ...(requestId === undefined ? {} : { request_id: requestId }) }));
    try {
      // First of all: an attempt uses its id up, also one that is refused.
      if (requestId !== undefined) this.#ids.consume(requestId);
      await this.#perform(frame, bytes, outbox, reply);
    } catch (error) {
      // Nobody is there to tell.
      if (outbox.closed.aborted) return;
      const failure = fromNodeError(error, { layer: 'socket' });
      const model = frame['op'] === 'model.use';
      this.#tell(typeof frame['op'] === 'string' ? frame['op'].slice(0, 64) : 'a request', failure);
      if (model) this.modelError = failure;
      await reply({ type: 'error', ...errorFields(failure) });
      if (model) await reply({ type: 'done', status: 'error' });
    }
  }

  async #perform(
    frame: JsonObject,
    bytes: number,
    outbox: Outbox,
    reply: (body: object) => Promise<boolean>,
  ) {
    if (typeof frame['op'] === 'string' && NOT_OFFERED.has(frame['op'])) {
      throw new CortexError('ENOTSUP', `${frame['op']} is not offered by this version`, { layer: 'socket' });
    }
    const request = parseCapabilityRequest(frame, bytes);
    switch (request.op) {
      case 'ping':
        return reply({ type: 'pong' });
      case 'agent.update':
        await updateAgent(this.#host, this.#identity, request);
        return reply({ type: 'ok' });
      case 'model.use':
        return this.#useModel(request, outbox, reply);
    }
  }

  #useModel(request: ModelUseRequest, outbox: Outbox, reply: (body: object) => Promise<boolean>) {
    this.modelError = undefined;
    const { run, owner } = this.#identity;
    return this.#models.run(outbox.closed, () =>
      useModel({
        host: this.#host,
        run,
        owner,
        request,
        calls: this.#calls,
        signal: outbox.closed,
        passedOver: (model, { code, message }) =>
          this.#identity.record({ type: 'model.refused', model, code, message }),
        send: (modelFrame) => {
          if (modelFrame.type === 'error')
            this.modelError = new CortexError(modelFrame.code, modelFrame.message, { layer: 'model' });
          return reply(modelFrame);
        },
      }),
    );
  }

  /** What was refused is told where the owner looks; whoever was refused may well keep it to itself. */
  #tell(what: string, { code, path, message }: CortexError): void {
    if (this.#refusals++ > MAX_TOLD_REFUSALS) return;
    const last = this.#refusals > MAX_TOLD_REFUSALS ? ' (further refusals of this run are not told)' : '';
    const where = path === undefined ? '' : `${path}: `;
    this.#host.log(oneLine(`run ${this.#identity.run}: ${what}: ${code}: ${where}${message}${last}`));
  }
}
