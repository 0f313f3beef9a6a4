struct Pair {
  float first;
  double second;
};

template <typename T> __global__ void scale(T* values, T factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

extern "C" __global__ void everyKind(const float* in, float* out, char small, short half, int count, double factor, Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * factor + pair.first + pair.second + small + half;
}

extern "C" __global__ void none() {}

extern "C" __global__ void __launch_bounds__(256) shared(int* out) {
  __shared__ int cells[64];
  cells[threadIdx.x % 64] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = cells[63 - threadIdx.x % 64];
}
