#!/bin/sh
# Runs a program as a container does: as another user, on a root of its own of which nothing is writable but what is named.
# Usage, as root in a mount namespace of its own:
# contained.sh <uid> <working folder> <empty folder> <source>:<target>:<ro | rw>… -- <program> <argument>…
set -eu
user=$1 folder=$2 root=$3
shift 3
mount -t tmpfs tmpfs "$root"
for part in bin sbin lib lib64 usr; do
  if [ -L "/$part" ]; then
    cp -P "/$part" "$root"
  elif [ -d "/$part" ]; then
    mkdir "$root/$part"
    mount --bind -o ro "/$part" "$root/$part"
  fi
done
mkdir -p "$root/dev" "$root/etc" "$root/home/node" "$root/proc" "$root/tmp" "$root$folder"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
# Programs that this machine has installed here are none of the image's.
mount -t tmpfs tmpfs "$root/usr/local"
cp /etc/hosts "$root/etc"
# The user that the base of the image has: Temporal's development server wants its name.
echo "node:x:$user:$user::/home/node:/bin/sh" >"$root/etc/passwd"
while [ "$1" != -- ]; do
  source=${1%%:*} target=$root${1#*:}
  access=${target##*:} target=${target%:*}
  if [ -d "$source" ]; then
    mkdir -p "$target"
  else
    mkdir -p "$(dirname "$target")"
    touch "$target"
  fi
  mount --bind -o "$access" "$source" "$target"
  shift
done
shift
mount -o remount,ro "$root/usr/local"
mount -o remount,ro "$root"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \
  --pdeathsig KILL env -C "$folder" "$@"
