import { ERRNO } from '@cortexfs/abi/errno';
import { type Architecture, architectureOf } from './architecture.ts';
import { assemble, atLeast, equals, hasBits, type Instruction, load, verdict } from './bpf.ts';
import { type CallName, REFUSED_CALLS, UNKNOWN_CALLS } from './calls.ts';

/**
 * The seccomp filter of every sandbox as bytes for `bwrap --seccomp FD` (docs/sandbox.md). Everything that no rule
 * names is allowed; another calling convention than the machine's own kills the process.
 */
export function seccompFilter(arch: string = process.arch): Buffer {
  return assemble(filterProgram(architectureOf(arch)));
}

export function filterProgram(architecture: Architecture): Instruction[] {
  return [
    ...onlyThisConvention(architecture),
    ...REFUSED_CALLS.flatMap((call) => answer(architecture, call, errno(ERRNO.EPERM))),
    ...UNKNOWN_CALLS.flatMap((call) => answer(architecture, call, errno(ERRNO.ENOSYS))),
    ...inspect(architecture, 'clone', refuseBits(NAMESPACE_FLAGS, ARGUMENT[0])),
    ...inspect(architecture, 'ioctl', refuseValues(TERMINAL_INJECTION, ARGUMENT[1])),
    ...inspect(architecture, 'socket', allowValues(SOCKET_FAMILIES, ARGUMENT[0])),
    ...inspect(architecture, 'socketpair', allowValues(SOCKET_FAMILIES, ARGUMENT[0])),
    verdict(ALLOW),
  ];
}

// Offsets in struct seccomp_data. Of the arguments only the lower half counts: the kernel itself reads 32 bits of these.
const NUMBER = 0;
const CONVENTION = 4;
const ARGUMENT = [16, 24] as const;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const errno = (number: number) => 0x00050000 | number;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e020000;
/** TIOCSTI types into the terminal; TIOCLINUX pastes into a console. */
const TERMINAL_INJECTION = [0x5412, 0x541c];
/**
 * AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: those that a network namespace holds. AF_VSOCK reaches the hypervisor past it,
 * and others (AF_ALG, AF_PACKET) open kernel surface.
 */
const SOCKET_FAMILIES = [1, 2, 10, 16];

function onlyThisConvention({ audit, foreignFrom }: Architecture): Instruction[] {
  return [
    load(CONVENTION),
    equals(audit, 1, 0),
    verdict(KILL_PROCESS),
    load(NUMBER),
    ...(foreignFrom === undefined ? [] : [atLeast(foreignFrom, 0, 1), verdict(KILL_PROCESS)]),
  ];
}

function answer({ numbers }: Architecture, call: CallName, action: number): Instruction[] {
  const number = numbers[call];
  return number === undefined ? [] : [equals(number, 0, 1), verdict(action)];
}

/** The rule replaces the loaded number by an argument, so that it must end with a verdict of its own. */
function inspect({ numbers }: Architecture, call: CallName, rule: Instruction[]): Instruction[] {
  const number = numbers[call];
  return number === undefined ? [] : [equals(number, 0, rule.length), ...rule];
}

function refuseBits(bits: number, argument: number): Instruction[] {
  return [load(argument), hasBits(bits, 0, 1), verdict(errno(ERRNO.EPERM)), verdict(ALLOW)];
}

function refuseValues(values: readonly number[], argument: number): Instruction[] {
  const refusals = values.flatMap((value) => [equals(value, 0, 1), verdict(errno(ERRNO.EPERM))]);
  return [load(argument), ...refusals, verdict(ALLOW)];
}

function allowValues(values: readonly number[], argument: number): Instruction[] {
  const permissions = values.flatMap((value) => [equals(value, 0, 1), verdict(ALLOW)]);
  return [load(argument), ...permissions, verdict(errno(EAFNOSUPPORT))];
}

const EAFNOSUPPORT = 97;
