#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"
#include "rocblas_abi.h"

using namespace selftest;

namespace {

constexpr int m = 5, n = 7, k = 3, batches = 2;

uint16_t toHalf(float value) {  // exact for the small integers used here
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (value == 0) {
    return 0;
  }
  uint32_t exponent = ((bits >> 23) & 0xff) - 127 + 15;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff));
}

float fromHalf(uint16_t half) {
  if ((half & 0x7fff) == 0) {
    return 0;
  }
  uint32_t bits = (half & 0x8000u) << 16 | ((half >> 10 & 31) - 15 + 127) << 23 | (half & 0x3ffu) << 13;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

uint16_t toBfloat(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return static_cast<uint16_t>(bits >> 16);
}

float fromBfloat(uint16_t bfloat) {
  uint32_t bits = static_cast<uint32_t>(bfloat) << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

// Small integers, so that every type computes exactly.
std::vector<float> numbers(size_t count, int seed) {
  std::vector<float> out(count);
  for (size_t i = 0; i < count; i++) {
    out[i] = static_cast<float>(static_cast<int>(i * 7 + seed) % 5 - 2);
  }
  return out;
}

class Device {
 public:
  Device(const std::vector<float>& values, rocblas_datatype type) : type(type), count(values.size()) {
    OK(hipMalloc(&address, count * 4));
    std::vector<uint16_t> narrow;
    for (float value : values) {
      narrow.push_back(type == rocblas_datatype_f16_r ? toHalf(value) : toBfloat(value));
    }
    const void* from = wide() ? static_cast<const void*>(values.data()) : narrow.data();
    OK(hipMemcpy(address, from, count * (wide() ? 4 : 2), hipMemcpyHostToDevice));
  }
  ~Device() { OK(hipFree(address)); }
  Device(const Device&) = delete;

  std::vector<float> read(hipStream_t stream) const {
    std::vector<float> out(count);
    std::vector<uint16_t> narrow(count);
    OK(hipStreamSynchronize(stream));
    OK(hipMemcpy(wide() ? static_cast<void*>(out.data()) : narrow.data(), address, count * (wide() ? 4 : 2),
                 hipMemcpyDeviceToHost));
    for (size_t i = 0; !wide() && i < count; i++) {
      out[i] = type == rocblas_datatype_f16_r ? fromHalf(narrow[i]) : fromBfloat(narrow[i]);
    }
    return out;
  }

  void* address;

 private:
  bool wide() const { return type == rocblas_datatype_f32_r; }
  rocblas_datatype type;
  size_t count;
};

std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c,
                             float alpha, float beta, int count) {
  std::vector<float> d(m * n * count);
  for (int batch = 0; batch < count; batch++) {
    for (int col = 0; col < n; col++) {
      for (int row = 0; row < m; row++) {
        float sum = 0;
        for (int i = 0; i < k; i++) {
          sum += a[batch * m * k + row + i * m] * b[batch * k * n + i + col * k];
        }
        int at = batch * m * n + row + col * m;
        d[at] = alpha * sum + beta * c[at];
      }
    }
  }
  return d;
}

rocblas_status multiply(rocblas_handle handle, const void* alpha, const Device& a, const Device& b, const void* beta,
                        const Device& c, Device& d, rocblas_datatype type, rocblas_int lda = m) {
  return rocblas_gemm_ex(handle, rocblas_operation_none, rocblas_operation_none, m, n, k, alpha, a.address, type, lda,
                         b.address, type, k, beta, c.address, type, m, d.address, type, m, rocblas_datatype_f32_r,
                         rocblas_gemm_algo_standard, 0, 0);
}

void testType(rocblas_handle handle, hipStream_t stream, rocblas_datatype type) {
  auto a = numbers(m * k * batches, 1), b = numbers(k * n * batches, 2), c = numbers(m * n * batches, 3);
  Device da(a, type), db(b, type), dc(c, type), dd(std::vector<float>(m * n * batches, 9), type);
  float alpha = 2;
  float beta = -3;
  OK(multiply(handle, &alpha, da, db, &beta, dc, dd, type));
  auto wanted = reference(a, b, c, alpha, beta, 1);
  auto got = dd.read(stream);
  got.resize(m * n);
  CHECK(got == wanted);
  CHECK(dc.read(stream) == c);  // C is only read

  OK(rocblas_gemm_strided_batched_ex(handle, rocblas_operation_none, rocblas_operation_none, m, n, k, &alpha,
                                     da.address, type, m, m * k, db.address, type, k, k * n, &beta, dc.address, type, m,
                                     m * n, dd.address, type, m, m * n, batches, rocblas_datatype_f32_r,
                                     rocblas_gemm_algo_standard, 0, 0));
  CHECK(dd.read(stream) == reference(a, b, c, alpha, beta, batches));
  beta = 0;
  OK(multiply(handle, &alpha, da, db, &beta, dd, dd, type));
  got = dd.read(stream);
  got.resize(m * n);
  CHECK(got == reference(a, b, c, alpha, 0, 1));
}

void testScalarsOnDevice(rocblas_handle handle, hipStream_t stream) {
  auto type = rocblas_datatype_f32_r;
  auto a = numbers(m * k, 1), b = numbers(k * n, 2), c = numbers(m * n, 3);
  Device da(a, type), db(b, type), dc(c, type), dd(std::vector<float>(m * n), type), scalars({2, -3}, type);
  OK(rocblas_set_pointer_mode(handle, rocblas_pointer_mode_device));
  OK(multiply(handle, scalars.address, da, db, static_cast<float*>(scalars.address) + 1, dc, dd, type));
  CHECK(dd.read(stream) == reference(a, b, c, 2, -3, 1));
  OK(rocblas_set_pointer_mode(handle, rocblas_pointer_mode_host));
}

void testRefusals(rocblas_handle handle) {
  auto type = rocblas_datatype_f32_r;
  Device x(std::vector<float>(m * n), type);
  float one = 1;
  STATUS(multiply(handle, &one, x, x, &one, x, x, type, m - 1), rocblas_status_invalid_size);
  STATUS(multiply(handle, nullptr, x, x, &one, x, x, type), rocblas_status_invalid_pointer);
  STATUS(multiply(nullptr, &one, x, x, &one, x, x, type), rocblas_status_invalid_handle);
  STATUS(multiply(handle, &one, x, x, &one, x, x, static_cast<rocblas_datatype>(170)), rocblas_status_not_implemented);
}

// A GEMM in a captured graph, with the caller's workspace, replayed with other numbers.
void testCaptured(rocblas_handle handle, hipStream_t stream) {
  auto type = rocblas_datatype_f32_r;
  auto a = numbers(m * k, 1), b = numbers(k * n, 2), c = numbers(m * n, 3);
  Device da(a, type), db(b, type), dc(c, type), dd(std::vector<float>(m * n), type);
  float alpha = 1;
  float beta = 1;
  hipGraph_t graph;
  hipGraphExec_t exec;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  OK(multiply(handle, &alpha, da, db, &beta, dc, dd, type));
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  auto other = numbers(m * k, 4);
  OK(hipMemcpy(da.address, other.data(), m * k * 4, hipMemcpyHostToDevice));
  OK(hipGraphLaunch(exec, stream));
  CHECK(dd.read(stream) == reference(other, b, c, 1, 1, 1));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
}

}  // namespace

void selftest::testGemm() {
  hipStream_t stream;
  hipStream_t second;
  rocblas_handle handle = nullptr;
  void* workspace;
  constexpr size_t size = 32 << 20;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  OK(rocblas_create_handle(&handle));
  if (handle == nullptr) {
    return;
  }
  OK(rocblas_set_stream(handle, stream));
  testType(handle, stream, rocblas_datatype_f32_r);
  OK(hipMalloc(&workspace, size));
  OK(rocblas_set_workspace(handle, workspace, size));
  OK(rocblas_set_stream(handle, second));
  testType(handle, second, rocblas_datatype_f16_r);
  testType(handle, second, rocblas_datatype_bf16_r);
  testScalarsOnDevice(handle, second);
  testRefusals(handle);
  testCaptured(handle, second);
  OK(rocblas_set_workspace(handle, nullptr, 0));
  testType(handle, second, rocblas_datatype_f32_r);
  OK(rocblas_destroy_handle(handle));
  OK(hipFree(workspace));
  OK(hipStreamDestroy(stream));
  OK(hipStreamDestroy(second));
}
