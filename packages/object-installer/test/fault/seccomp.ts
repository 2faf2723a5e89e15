import { constants } from 'node:os';
import koffi from 'koffi';

/** System calls by which an installer changes a file system, or looks at it. */
const NUMBERS = {
  x64: { pwrite64: 18, fsync: 74, fchmod: 91, mkdirat: 258, unlinkat: 263, renameat2: 316, openat2: 437 },
  arm64: { pwrite64: 68, fsync: 82, fchmod: 52, mkdirat: 34, unlinkat: 35, renameat2: 276, openat2: 437 },
} as const;

export type Call = keyof (typeof NUMBERS)['x64'];
export const CALLS = Object.keys(NUMBERS.x64) as Call[];
export type Fault = 'EIO' | 'ENOSPC' | 'EROFS';

const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_SET_MODE_FILTER = 1;
const SYS_seccomp = { x64: 317, arm64: 277 } as const;

/** From now on the kernel answers these calls of the calling thread with the error. There is no way back. */
export function failCalls(calls: readonly Call[], fault: Fault): void {
  const arch = process.arch as keyof typeof NUMBERS;
  const program = filterProgram(
    calls.map((call) => NUMBERS[arch][call]),
    constants.errno[fault],
  );
  const libc = koffi.load(null);
  const prctl = libc.func('int prctl(int option, long a, long b, long c, long d)');
  const seccomp = libc.func('long syscall(long number, int operation, int flags, const uint8_t *program)');
  // struct sock_fprog: the number of instructions, then a pointer to them.
  const header = Buffer.alloc(16);
  header.writeUInt16LE(program.length / 8, 0);
  header.writeBigUInt64LE(koffi.address(program), 8);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) throw new Error('prctl failed');
  if (seccomp(SYS_seccomp[arch], SECCOMP_SET_MODE_FILTER, 0, header) !== 0) throw new Error('seccomp failed');
}

/** Classic BPF: load the number of the call; for each that fails, jump to the last instruction; allow; fail. */
function filterProgram(numbers: readonly number[], errno: number): Buffer {
  const LOAD = 0x20;
  const JUMP_EQUAL = 0x15;
  const RETURN = 0x06;
  const instructions = [
    [LOAD, 0, 0, 0],
    ...numbers.map((number, index) => [JUMP_EQUAL, numbers.length - index, 0, number]),
    [RETURN, 0, 0, 0x7fff_0000],
    [RETURN, 0, 0, 0x0005_0000 | errno],
  ];
  const program = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    program.writeUInt16LE(code!, index * 8);
    program.writeUInt8(whenTrue!, index * 8 + 2);
    program.writeUInt8(whenFalse!, index * 8 + 3);
    program.writeUInt32LE(value! >>> 0, index * 8 + 4);
  }
  return program;
}
