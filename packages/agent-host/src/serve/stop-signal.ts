/** Tells a process of ours to end. */
export interface StopSignal {
  /** Resolves with what asked for the end. */
  readonly reason: Promise<string>;
  now(reason: string): void;
}

/** SIGTERM, SIGINT and SIGHUP ask for an orderly end; only the first counts. */
export function untilStopped(): StopSignal {
  let stop: (reason: string) => void = () => {};
  const reason = new Promise<string>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  return { reason, now: stop };
}
