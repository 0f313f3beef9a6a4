#!/bin/sh
# Builds the stand-ins for ROCm's libraries that tests run over: build.sh OUTPUT-FOLDER [TESTS-ARE-SKIPPED]
# Where cmake or a C++ compiler is missing it says so and succeeds; the tests are then skipped by that name.
set -e
[ "$2" != true ] || exit 0
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
for tool in cmake c++; do
  command -v "$tool" >/dev/null || {
    echo "millrace: no $tool here, so hip-on-cpu is not built and the tests over it are skipped (Debian: apt-get install cmake g++)" >&2
    exit 0
  }
done
mkdir -p "$1"
[ -e "$1/CMakeCache.txt" ] || cmake -S "$here" -B "$1" >"$1/configure.log" 2>&1 || { cat "$1/configure.log" >&2; exit 1; }
cmake --build "$1" --parallel 2 >"$1/build.log" 2>&1 || { tail -n 60 "$1/build.log" >&2; exit 1; }
