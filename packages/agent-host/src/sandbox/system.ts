import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { AgentDefinition } from '../definition/definition.ts';
import { mayConnect } from './isolation.ts';
import { type Step, words } from './step.ts';

/** The operating system as the agent sees it: programs and libraries, a minimal /etc, fresh /proc, /dev and /tmp. */
export function system(definition: AgentDefinition): Step[] {
  return [...programs(), ...etc(definition), ...processes(), ...devices(), ...scratch()];
}

/** Kept small: what an agent fills is the machine's memory. */
const SCRATCH_BYTES = 512 * 1024 * 1024;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

function programs(): Step[] {
  const links = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap((path): Step[] => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) return [words('--symlink', readlinkSync(path), path)];
    return found?.isDirectory() ? [words('--ro-bind', path, path)] : [];
  });
  return [words('--ro-bind', '/usr', '/usr'), ...links];
}

/**
 * Made up, not the host's: accounts of this machine are none of the agent's business. Shell start-up files
 * (profile, bash.bashrc, profile.d) are masked by their absence, and the directory is read-only in the end.
 */
function etc(definition: AgentDefinition): Step[] {
  const { name, uid, gid } = definition;
  const nobody = (id: number) => (id === 65534 ? [] : ['65534']);
  return [
    file('/etc/passwd', [
      `${name}:x:${uid}:${gid}::/home/agent:/usr/bin/bash`,
      ...nobody(uid).map((id) => `nobody:x:${id}:${id}::/nonexistent:/usr/sbin/nologin`),
    ]),
    file('/etc/group', [`${name}:x:${gid}:`, ...nobody(gid).map((id) => `nogroup:x:${id}:`)]),
    file('/etc/hosts', ['127.0.0.1\tlocalhost cortexfs', '::1\tlocalhost']),
    file('/etc/nsswitch.conf', ['passwd: files', 'group: files', 'hosts: files dns']),
    ...[...HOST_ETC, ...(mayConnect(definition) ? NETWORK_ETC : [])].map((path) =>
      words('--ro-bind-try', path, path),
    ),
  ];
}

/** What the dynamic linker and programs' links under /usr/bin need. */
const HOST_ETC = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/localtime',
];
const NETWORK_ETC = ['/etc/resolv.conf', '/etc/ssl/certs', '/etc/ca-certificates.conf'];

function file(target: string, lines: readonly string[]): Step {
  return { kind: 'file', target, text: lines.map((line) => `${line}\n`).join('') };
}

function processes(): Step[] {
  const kept = READ_ONLY_PROC.filter((path) => existsSync(path));
  const hidden = HIDDEN_PROC.filter((path) => existsSync(path));
  return [
    words('--proc', '/proc'),
    ...kept.map((path) => words('--ro-bind', path, path)),
    ...hidden.map((path) =>
      lstatSync(path).isDirectory()
        ? words('--tmpfs', path, '--remount-ro', path)
        : words('--ro-bind', '/dev/null', path),
    ),
  ];
}

/**
 * A launcher that is root stays uid 0 inside, and these belong to uid 0: without any capability it could otherwise set
 * kernel.core_pattern and have the kernel run its program on the host.
 */
const READ_ONLY_PROC = ['/proc/sys', '/proc/bus', '/proc/fs', '/proc/irq'];
const HIDDEN_PROC = [
  '/proc/acpi',
  '/proc/asound',
  '/proc/kcore',
  '/proc/key-users',
  '/proc/keys',
  '/proc/kmsg',
  '/proc/kpagecgroup',
  '/proc/kpagecount',
  '/proc/kpageflags',
  '/proc/latency_stats',
  '/proc/mtrr',
  '/proc/scsi',
  '/proc/sysrq-trigger',
  '/proc/timer_list',
  '/proc/timer_stats',
];

function devices(): Step[] {
  return [words('--dev', '/dev', '--remount-ro', '/dev'), tmpfs('/dev/shm', SHARED_MEMORY_BYTES)];
}

function scratch(): Step[] {
  return [tmpfs('/tmp', SCRATCH_BYTES), words('--dir', '/var', '--symlink', '../tmp', '/var/tmp')];
}

function tmpfs(path: string, bytes: number): Step {
  return words('--perms', '1777', '--size', `${bytes}`, '--tmpfs', path);
}
