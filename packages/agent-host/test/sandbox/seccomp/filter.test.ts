import { CortexError } from '@cortexfs/abi/errors';
import fc from 'fast-check';
import t from 'tap';
import { architectureOf } from '../../../src/sandbox/seccomp/architecture.ts';
import { type CallName, REFUSED_CALLS, UNKNOWN_CALLS } from '../../../src/sandbox/seccomp/calls.ts';
import { filterProgram, seccompFilter } from '../../../src/sandbox/seccomp/filter.ts';
import { interpret } from './interpret.ts';

const [ALLOW, KILL, EPERM, ENOSYS, EAFNOSUPPORT] = [0x7fff0000, 0x80000000, 0x50001, 0x50026, 0x50061];

for (const arch of ['x64', 'arm64']) {
  const architecture = architectureOf(arch);
  const program = filterProgram(architecture);
  const { audit, numbers } = architecture;
  const verdict = (call: CallName, ...args: bigint[]) =>
    interpret(program, { audit, number: numbers[call]!, args });

  t.test(`${arch}: what is named is refused or unknown`, async (t) => {
    for (const call of REFUSED_CALLS) if (numbers[call] !== undefined) t.equal(verdict(call), EPERM, call);
    for (const call of UNKNOWN_CALLS) t.equal(verdict(call), ENOSYS, call);
  });

  t.test(`${arch}: what is not named is allowed`, async () => {
    const named = new Set(Object.values(numbers));
    fc.assert(
      fc.property(
        fc.nat(0x3fffffff),
        (number) => named.has(number) || interpret(program, { audit, number }) === ALLOW,
      ),
    );
    for (let number = 0; number < 600; number++) {
      if (!named.has(number)) t.equal(interpret(program, { audit, number }), ALLOW, `${number}`);
    }
  });

  t.test(`${arch}: another calling convention kills`, async (t) => {
    fc.assert(
      fc.property(
        fc.nat(),
        (other) => other === audit || interpret(program, { audit: other, number: 0 }) === KILL,
      ),
    );
    if (arch === 'x64') t.equal(interpret(program, { audit, number: 0x40000000 + 16 }), KILL, 'x32');
  });

  t.test(`${arch}: arguments are looked at where they decide, in their lower half`, async (t) => {
    const high = 0xffffffff00000000n;
    t.equal(verdict('ioctl', 0n, 0x5412n), EPERM, 'TIOCSTI');
    t.equal(verdict('ioctl', 0n, 0x5412n | high), EPERM, 'TIOCSTI with bits that the kernel drops');
    t.equal(verdict('ioctl', 0n, 0x541cn), EPERM, 'TIOCLINUX');
    t.equal(verdict('ioctl', 0x5412n, 0x5413n), ALLOW, 'TIOCGWINSZ');
    t.equal(verdict('clone', 0x11n), ALLOW, 'fork');
    t.equal(verdict('clone', 0x3d0f00n), ALLOW, 'a thread');
    for (const flag of [
      0x20000n,
      0x2000000n,
      0x4000000n,
      0x8000000n,
      0x10000000n,
      0x20000000n,
      0x40000000n,
    ]) {
      t.equal(verdict('clone', 0x11n | flag), EPERM, `clone ${flag.toString(16)}`);
    }
    for (let family = 0n; family < 60n; family++) {
      const expected = [1n, 2n, 10n, 16n].includes(family) ? ALLOW : EAFNOSUPPORT;
      t.equal(verdict('socket', family), expected, `socket ${family}`);
      t.equal(verdict('socketpair', family), expected, `socketpair ${family}`);
    }
  });

  t.test(`${arch}: eight bytes an instruction, every jump inside`, async (t) => {
    t.equal(seccompFilter(arch).length, program.length * 8);
    program.slice(0, -1).forEach(({ jt, jf }, index) => {
      t.ok(index + 1 + Math.max(jt, jf) < program.length, `${index}`);
    });
  });
}

t.test('an architecture without a filter is refused, not run without one', async (t) => {
  t.throws(() => seccompFilter('riscv64'), CortexError);
  t.throws(() => seccompFilter('riscv64'), { code: 'ENOTSUP' });
});
