# Becomes the first process of a machine of its own (own-machine.ts), in new mount and pid namespaces.
# own-machine.sh FOLDER CHECKOUT NODE PATH-OF-NODE-THERE [INIT]
# Its root is an overlay over ours; what is written goes to memory and is gone with it. INIT is sourced in the new
# root, before it is entered, and defines `devices`, `kernel` and `first`.
set -e

devices() { mount --rbind /dev dev; }
kernel() {
  mount --rbind /sys sys
  mount -t proc proc proc
}
# Waits for the test to end.
first() {
  echo up
  cat >/dev/null
}
[ -z "$5" ] || . "$5"

mount -t tmpfs -o mode=755 tmpfs "$1"
mkdir "$1/up" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" overlay "$1/root"
cd "$1/root"
kernel
devices
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -p run/user opt/cortexfs
mount --bind "$2" opt/cortexfs
if [ "$4" != "$3" ]; then
  : >".$4"
  mount --bind "$3" ".$4"
  ln -sf "$4" usr/local/bin/node
fi
# Not chroot: there user namespaces are refused.
mkdir old
pivot_root . old
cd /
umount -l /old
rmdir /old
first
