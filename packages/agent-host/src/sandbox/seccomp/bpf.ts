import { endianness } from 'node:os';

/** One `struct sock_filter`: classic BPF as the kernel's seccomp interprets it. */
export interface Instruction {
  code: number;
  /** Instructions to skip when the test holds, and when it does not. */
  jt: number;
  jf: number;
  k: number;
}

const LD_W_ABS = 0x20;
const JMP_JEQ_K = 0x15;
const JMP_JGE_K = 0x35;
const JMP_JSET_K = 0x45;
const RET_K = 0x06;

/** Loads 32 bits of `struct seccomp_data` at this offset. */
export const load = (offset: number): Instruction => ({ code: LD_W_ABS, jt: 0, jf: 0, k: offset });
/** Ends the program with this verdict. */
export const verdict = (action: number): Instruction => ({ code: RET_K, jt: 0, jf: 0, k: action });

export const equals = (value: number, jt: number, jf: number): Instruction => jump(JMP_JEQ_K, value, jt, jf);
export const atLeast = (value: number, jt: number, jf: number): Instruction => jump(JMP_JGE_K, value, jt, jf);
export const hasBits = (bits: number, jt: number, jf: number): Instruction => jump(JMP_JSET_K, bits, jt, jf);

/** The kernel's limit on one program. */
const MAX_INSTRUCTIONS = 4096;

/** The program as bubblewrap reads it from `--seccomp FD`: 8 bytes an instruction, in the machine's byte order. */
export function assemble(program: readonly Instruction[]): Buffer {
  if (program.length > MAX_INSTRUCTIONS)
    throw new RangeError(`${program.length} BPF instructions, at most 4096`);
  const bytes = Buffer.alloc(program.length * 8);
  const little = endianness() === 'LE';
  program.forEach(({ code, jt, jf, k }, index) => {
    const at = index * 8;
    bytes[at + 2] = jt;
    bytes[at + 3] = jf;
    if (little) {
      bytes.writeUInt16LE(code, at);
      bytes.writeUInt32LE(k, at + 4);
    } else {
      bytes.writeUInt16BE(code, at);
      bytes.writeUInt32BE(k, at + 4);
    }
  });
  return bytes;
}

function jump(code: number, k: number, jt: number, jf: number): Instruction {
  for (const distance of [jt, jf]) {
    if (!Number.isInteger(distance) || distance < 0 || distance > 255) {
      throw new RangeError(`a BPF jump skips 0 to 255 instructions, not ${distance}`);
    }
  }
  return { code, jt, jf, k };
}
