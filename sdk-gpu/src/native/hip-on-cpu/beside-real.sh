#!/bin/sh
# beside-real.sh STAND-INS REAL FOLDER: a folder with AMD's libraries in which only HIP is the stand-in.
set -eu
mkdir -p "$3"
ln -sfn "$1/libamdhip64.so.6" "$3/libamdhip64.so.6"
for library in libhiprtc.so.6 librocblas.so.4 libMIOpen.so.1 libhipblas.so.2; do
  ln -sfn "$2/$library" "$3/$library"
done
