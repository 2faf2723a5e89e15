import { CortexError } from '@cortexfs/abi/errors';

/** The capability socket of the run that the host has started this process for; ENOTCONN without a host. */
export function requireHost(name: string): string {
  const socket = process.env['CTX_CONTROL_SOCKET'];
  if (socket === undefined) throw notHosted(name);
  return socket;
}

function notHosted(name: string): CortexError {
  return new CortexError('ENOTCONN', 'CTX_CONTROL_SOCKET is not set: an agent runs under its host', {
    path: `agent/${name}`,
    layer: 'agent',
    hint: `ctx agent start ${name}, then ctx agent send ${name} TEXT`,
  });
}
