# The first process of the machine: makes the bare root its own, and runs the trial as the user. Source: pivot_root(8).
# enter.sh MACHINE USER HOME [COMMAND…]
set -eu
machine="$1" user="$2" home="$3"
shift 3
mount --make-rprivate /
mount --bind "$machine" "$machine"
mount -t proc proc "$machine/proc"
mount --rbind /dev "$machine/dev"
mount --rbind /sys "$machine/sys"
mount -t tmpfs -o mode=1777 tmpfs "$machine/tmp"
mkdir -p "$machine/.outside"
cd "$machine"
pivot_root . .outside
umount -l /.outside
cd "$home/steward"
status=0
/usr/local/bin/node /opt/fresh-machine/trial.mjs "$user" "$home" "$@" || status=$?
exit "$status"
