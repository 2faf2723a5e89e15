import { CortexError } from '@cortexfs/abi/errors';

/** The most clients at a time. */
export const MAX_CLIENTS = 64;

export function watcherRefused(op: string): CortexError {
  return new CortexError('EACCES', `a watcher may not send "${op}"`, {
    layer: 'terminal',
    hint: 'attach to take part',
  });
}

export function tooManyClients(): CortexError {
  return new CortexError('EAGAIN', `${MAX_CLIENTS} clients are connected already`, { layer: 'terminal' });
}

export function inputRefused(): CortexError {
  return new CortexError(
    'EAGAIN',
    'the program has not read 1 MiB of earlier input; this input was dropped',
    {
      layer: 'terminal',
    },
  );
}

export function signalRefused(name: string): CortexError {
  return new CortexError('ESRCH', `no foreground process took SIG${name}`, { layer: 'terminal' });
}
