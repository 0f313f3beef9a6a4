#!/bin/sh
# real-libraries.sh ROOT LIBRARY PROGRAM: runs the program in a root that holds AMD's libraries, with the stand-in's
# runtime in front of AMD's. Where the root is "/" nothing is copied.
set -eu
root=$1 library=$2 program=$3
: "${HIP_ON_CPU_ARCH:=gfx1010}"
export HIP_ON_CPU_ARCH
if [ "$root" = / ]; then
  LD_LIBRARY_PATH=$(dirname "$library") exec "$program"
fi
folder=/opt/millrace/hip-on-cpu
mkdir -p "$root$folder"
cp "$library" "$root$folder/libamdhip64.so.6"
cp "$program" "$root$folder/"
exec chroot "$root" env LD_LIBRARY_PATH=$folder "$folder/$(basename "$program")"
