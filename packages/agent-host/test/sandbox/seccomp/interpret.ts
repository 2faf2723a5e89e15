import type { Instruction } from '../../../src/sandbox/seccomp/bpf.ts';

export interface SystemCall {
  audit: number;
  number: number;
  /** 64 bits each. */
  args?: readonly bigint[];
}

/** Runs a classic BPF program as the kernel would on one system call; answers its verdict. */
export function interpret(program: readonly Instruction[], { audit, number, args = [] }: SystemCall): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  args.forEach((value, index) => {
    data.writeBigUInt64LE(value, 16 + index * 8);
  });
  let loaded = 0;
  for (let at = 0; ; at++) {
    const instruction = program[at];
    if (instruction === undefined) throw new Error(`ran off the program at ${at}`);
    const { code, jt, jf, k } = instruction;
    if (code === 0x20) loaded = data.readUInt32LE(k);
    else if (code === 0x15) at += loaded === k ? jt : jf;
    else if (code === 0x35) at += loaded >= k ? jt : jf;
    else if (code === 0x45) at += (loaded & k) !== 0 ? jt : jf;
    else if (code === 0x06) return k;
    else throw new Error(`unknown code ${code} at ${at}`);
  }
}
