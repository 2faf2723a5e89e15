/** Ctrl-\ then d leaves; Ctrl-\ twice sends one Ctrl-\. */
const prefix = 0x1c;
const leave = 0x64;

/** Finds the detach keys in typed bytes. What is not part of them is to be sent on. */
export class DetachKeys {
  #armed = false;

  /** The bytes to send, and whether the person asked to leave. */
  take(typed: Uint8Array): { bytes: Buffer; detach: boolean } {
    const bytes: number[] = [];
    for (const byte of typed) {
      if (this.#armed) {
        this.#armed = false;
        if (byte === leave) return { bytes: Buffer.from(bytes), detach: true };
        if (byte !== prefix) bytes.push(prefix);
        bytes.push(byte);
      } else if (byte === prefix) this.#armed = true;
      else bytes.push(byte);
    }
    return { bytes: Buffer.from(bytes), detach: false };
  }
}
