/** Not in node's constants: names a file or directory without opening it. No right to its bytes is needed, and no FIFO or device is waited for. */
export const O_PATH = 0o10000000;
