/** Whether SIGINT or SIGTERM asked to stop. A second one ends the process at once, as if nobody had listened. */
export function listenForInterrupt(): () => boolean {
  let interrupted = false;
  const stop = () => {
    interrupted = true;
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return () => interrupted;
}
