#!/bin/sh
# Builds the stand-ins over CUDA and the C side of the benchmarks into FOLDER and tries every function of the
# stand-ins on this machine's GPU. Afterwards FOLDER/hip-on-cuda-libs is what -Dmillrace.rocm wants.
#   selftest.sh [FOLDER] [--bench]     (FOLDER: default a new one under /tmp)
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
folder=
bench=
for argument; do
  case $argument in
    --bench) bench=yes ;;
    *) folder=$argument ;;
  esac
done
folder=${folder:-$(mktemp -d)}
mkdir -p "$folder"
# Another compiler has other warnings: here they are no reason to give up.
generator=
if command -v ninja >/dev/null; then generator="-G Ninja"; fi
# shellcheck disable=SC2086
if ! cmake $generator -S "$here/.." -B "$folder" -DHIP_ON_CPU=OFF -DHIP_ON_CUDA=ON -DMILLRACE_BENCH=ON \
    -DMILLRACE_WERROR=OFF \
    -DCMAKE_BUILD_TYPE=Release >"$folder/build.log" 2>&1 ||
  ! cmake --build "$folder" --parallel >>"$folder/build.log" 2>&1; then
  tail -n 40 "$folder/build.log"
  exit 1
fi
echo "built: $folder/hip-on-cuda-libs"
status=0
timeout 120 "$folder/hip-on-cuda-libs/hip-on-cuda-test" || status=$?
if [ "$status" = 0 ] && [ -n "$bench" ]; then
  timeout 240 "$folder/bench/benchfloor" "$folder/hip-on-cuda-libs" || status=$?
fi
exit $status
