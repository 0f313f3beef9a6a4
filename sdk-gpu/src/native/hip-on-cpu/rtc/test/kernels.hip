#include <hip/hip_runtime.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" {

__global__ void __launch_bounds__(256)
    vectorAdd(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out,
              int n) {
  unsigned i = INDEX;
  if (i < static_cast<unsigned>(n)) out[i] = a[i] + b[i];
}

__global__ void fill(float* out, float value, long long n) {
  for (long long i = INDEX; i < n; i += gridDim.x * blockDim.x) out[i] = value;
}

__global__ void axpy(float alpha, const float* x, float* y, int n) {
  int i = INDEX;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

__global__ void axpyHalf(__half alpha, const __half* x, __half* y, int n) {
  int i = INDEX;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

__global__ void axpyBFloat16(hip_bfloat16 alpha, const hip_bfloat16* x, hip_bfloat16* y, int n) {
  int i = INDEX;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

// Busy for so many ticks of the 100 MHz clock; then counts itself.
__global__ void spin(long long ticks, int* runs) {
  long long start = wall_clock64();
  while (wall_clock64() - start < ticks) {
  }
  atomicAdd(runs, 1);
}

// Where each thread thought that it was.
__global__ void whereAmI(uint3* threads, uint3* blocks) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned at = block * blockDim.x * blockDim.y * blockDim.z + thread;
  threads[at] = uint3{threadIdx.x, threadIdx.y, threadIdx.z};
  blocks[at] = uint3{blockIdx.x, blockIdx.y, blockIdx.z};
}

struct Mixed {
  char tag;
  double weights[3];
};

__global__ void mixed(char c, const Mixed m, short s, float4 v, const void* p, bool* out) {
  *out = c == 'c' && m.tag == 't' && m.weights[2] == 2.5 && s == -3 && v.w == 4.0f && p == out;
}
}

template <class T, int N> __global__ void scale(T* values) { values[0] *= N; }
