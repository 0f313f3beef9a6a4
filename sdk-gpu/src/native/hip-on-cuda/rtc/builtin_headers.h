// The headers that hipRTC has built in. hip/hip_runtime.h is included before every source, as hipRTC does.
#pragma once

namespace millrace {

inline constexpr const char* hipRuntimeHeader = R"(
#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define __HIP__ 1
#define __HIPCC_RTC__ 1
#define __HIP_PLATFORM_NVIDIA__ 1
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define __shfl(...) __shfl_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(0xffffffffu, __VA_ARGS__)
#define __ballot(predicate) ((unsigned long long)__ballot_sync(0xffffffffu, predicate))
#define __any(predicate) __any_sync(0xffffffffu, predicate)
#define __all(predicate) __all_sync(0xffffffffu, predicate)
static __device__ inline long long wall_clock64() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return (long long)nanoseconds;
}
)";

inline constexpr const char* halfHeader = R"(
#pragma once
#include <cuda_fp16.h>
#define _Float16 __half
)";

inline constexpr const char* bfloatHeader = R"(
#pragma once
#include <cuda_bf16.h>
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16 hip_bfloat16;
#define __bf16 __nv_bfloat16
)";

struct BuiltinHeader {
  const char* name;
  const char* text;
};

inline constexpr BuiltinHeader builtinHeaders[] = {
    {"hip/hip_runtime.h", hipRuntimeHeader}, {"hip/hip_fp16.h", halfHeader},        {"hip/hip_bf16.h", bfloatHeader},
    {"hip/hip_bfloat16.h", bfloatHeader},    {"hip/hiprtc.h", "#pragma once\n"},
};

}  // namespace millrace
