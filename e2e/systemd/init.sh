# A machine of its own whose first process is systemd (machine.ts). Sourced by own-machine.sh.
# Only what a test starts runs there: the target that is booted into wants nothing.

kernel() {
  mount -t proc -o nosuid,nodev,noexec proc proc
  # Sysctls are the host's.
  mount --bind proc/sys proc/sys
  mount -o remount,bind,ro proc/sys
  # A whole one beside it, else the kernel lets nobody mount another, as sandboxes do.
  mkdir .proc
  mount -t proc -o nosuid,nodev,noexec proc .proc
  # A sandbox forbids further user namespaces below its own.
  mount --bind .proc/sys/user proc/sys/user
  mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
  mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
  # Only the real root cgroup lacks this file. A systemd started there would take over the host's processes.
  [ -e sys/fs/cgroup/cgroup.kill ]
}

# Its own, for systemd changes owners and modes of devices.
devices() {
  mount -t tmpfs -o mode=755,nosuid tmpfs dev
  for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0 fuse:10:229; do
    name=${node%%:*}
    numbers=${node#*:}
    mknod -m 666 "dev/$name" c "${numbers%:*}" "${numbers#*:}"
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  ln -s fd/0 dev/stdin
  ln -s fd/1 dev/stdout
  ln -s fd/2 dev/stderr
  mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
}

first() {
  mount --make-rshared /
  printf '[Unit]\nDescription=What tests start\n' >/etc/systemd/system/test.target
  exec env -i container=cortexfs PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    /lib/systemd/systemd --system --unit=test.target --show-status=no --log-target=console </dev/null
}
