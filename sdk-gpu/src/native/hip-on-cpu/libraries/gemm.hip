// Matrix multiplication, one grid block for each matrix of a batch. Sums are float and stay in the
// handle's workspace until all of them are complete: a handle that is moved to another stream while
// its last product runs gives wrong numbers here, as it may on a GPU.
#include "gemm_arguments.h"

#include <vector>

namespace {

template <class Element> float at(const GemmMatrix& matrix, long long row, long long column) {
  const Element* data = static_cast<const Element*>(matrix.data) + blockIdx.x * matrix.batchStride;
  return data[row * matrix.rowStride + column * matrix.columnStride];
}

/** Sums for the columns [first, first + columns) of the product, one column after the other. */
template <class In>
void accumulate(const GemmArguments& g, int first, int columns, float* left, float* sums) {
  for (long long i = 0; i < (long long)columns * g.m; ++i) sums[i] = 0;
  for (int l = 0; l < g.k; ++l) {
    for (int i = 0; i < g.m; ++i) left[i] = at<In>(g.a, i, l);
    for (int j = 0; j < columns; ++j) {
      float right = at<In>(g.b, l, first + j);
      float* column = sums + (long long)j * g.m;
      for (int i = 0; i < g.m; ++i) column[i] += left[i] * right;
    }
  }
}

/** C is not read where beta is 0: it may be uninitialised. */
template <class Out>
void write(const GemmArguments& g, int first, int columns, float alpha, float beta,
           const float* sums) {
  Out* out = static_cast<Out*>(const_cast<void*>(g.d.data)) + blockIdx.x * g.d.batchStride;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < g.m; ++i) {
      float old = beta == 0 ? 0 : beta * at<Out>(g.c, i, first + j);
      float product = alpha == 0 ? 0 : alpha * sums[(long long)j * g.m + i];
      out[i * g.d.rowStride + (first + j) * g.d.columnStride] = product + old;
    }
  }
}

template <class In, class Out> void multiply(GemmArguments g) {
  float alpha = g.deviceAlpha ? *g.deviceAlpha : g.alpha;
  float beta = g.deviceBeta ? *g.deviceBeta : g.beta;
  if (alpha == 0) g.k = 0; // A and B are not read, whatever is in them
  std::vector<float> own;
  float* scratch = g.workspace;
  long long fits = (long long)(g.workspaceBytes / sizeof(float)) / g.m - 1;
  if (fits < 1) {
    own.resize(2 * (size_t)g.m);
    scratch = own.data();
    fits = 1;
  }
  int step = fits < g.n ? (int)fits : g.n;
  for (int first = 0; first < g.n; first += step) {
    int columns = min(step, g.n - first);
    accumulate<In>(g, first, columns, scratch, scratch + g.m);
    write<Out>(g, first, columns, alpha, beta, scratch + g.m);
  }
}

} // namespace

extern "C" {
__global__ void gemm_f32(GemmArguments g) { multiply<float, float>(g); }
__global__ void gemm_f16(GemmArguments g) { multiply<__half, __half>(g); }
__global__ void gemm_bf16(GemmArguments g) { multiply<__hip_bfloat16, __hip_bfloat16>(g); }
__global__ void gemm_f16_f32(GemmArguments g) { multiply<__half, float>(g); }
__global__ void gemm_bf16_f32(GemmArguments g) { multiply<__hip_bfloat16, float>(g); }
}
