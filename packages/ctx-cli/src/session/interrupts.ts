/** Ctrl-C while a run is followed: the first asks the host to cancel, the second leaves at once. */
export function onInterrupt(cancel: () => Promise<void>, leave: () => void): () => void {
  let asked = false;
  const interrupt = () => {
    if (asked) return leave();
    asked = true;
    cancel().catch(leave);
  };
  process.on('SIGINT', interrupt);
  return () => process.off('SIGINT', interrupt);
}
