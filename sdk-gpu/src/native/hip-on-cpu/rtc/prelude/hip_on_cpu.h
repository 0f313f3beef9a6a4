// What every kernel source sees before its own first line: HIP's device language as far as a plain
// C++ compiler can give it, one thread after the other. See docs/hip-on-cpu-libraries.md.
#ifndef MILLRACE_HIP_ON_CPU_H
#define MILLRACE_HIP_ON_CPU_H

#define __HIPCC_RTC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_ON_CPU__ 1

// The first of two passes only preprocesses, to find the kernels by this word. It needs none of the
// declarations, and is much faster without the standard headers.
#ifdef MILLRACE_FIND_KERNELS
#define __global__ __millrace_kernel__
#else
#define __global__
// Before the macros below: standard headers use some of these words as their own.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <time.h>
#include <type_traits>
#include <utility>
#endif

#include "unsupported.h"

#define __device__
#define __host__
#define __constant__ static
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

#ifndef MILLRACE_FIND_KERNELS
#include "vectors.h"
#include "device_math.h"
#include "half.h"
#include "atomics.h"
#include "clock.h"
#include "kernel_table.h"
#endif

#endif
