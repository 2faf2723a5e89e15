import { type ErrnoName, isErrnoName } from '@cortexfs/abi/errno';
import { CortexError, type ErrorContext, fromNodeError } from '@cortexfs/abi/errors';
import type { NodeId } from '../../core/file-system.ts';
import type { ServeEnd } from './serve.ts';
import type { DeferredSync } from './session.ts';

/** What the main thread gives the serving thread. */
export interface ServiceData {
  readonly device: number;
  readonly wake: number;
  /** Whatever the file system is made from; must survive a structured clone. */
  readonly fileSystem: unknown;
}

/** What the serving thread tells the main thread. */
export type ServiceMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'sync'; readonly work: DeferredSync }
  | { readonly type: 'invalidate-node'; readonly node: NodeId }
  | { readonly type: 'invalidate-entry'; readonly parent: NodeId; readonly name: string }
  | { readonly type: 'ended'; readonly reason: ServeEnd }
  | { readonly type: 'failed'; readonly error: PlainError };

/** An error without its class, which does not survive the way between threads. */
export interface PlainError extends Pick<ErrorContext, 'path' | 'layer' | 'hint'> {
  readonly code: ErrnoName;
  readonly message: string;
}

export function toPlainError(thrown: unknown): PlainError {
  const { code, message, path, layer, hint } = fromNodeError(thrown);
  return { code, message, path, layer, hint };
}

export function fromPlainError({ code, message, ...context }: PlainError): CortexError {
  return new CortexError(isErrnoName(code) ? code : 'EIO', message, context);
}
