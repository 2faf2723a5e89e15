/** Waits without an event loop, for descriptors that another process made non-blocking. */
export function pause(ms: number): void {
  Atomics.wait(cell, 0, 0, ms);
}

const cell = new Int32Array(new SharedArrayBuffer(4));
