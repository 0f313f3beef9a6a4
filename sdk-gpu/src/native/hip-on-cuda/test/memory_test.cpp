#include <cmath>
#include <vector>

#include "check.h"

using namespace selftest;

namespace {

void testAllocation(hipStream_t stream) {
  void* device = nullptr;
  void* none = reinterpret_cast<void*>(1);
  OK(hipMalloc(&device, 1 << 20));
  OK(hipMalloc(&none, 0));
  CHECK(none == nullptr);
  OK(hipFree(nullptr));
  STATUS(hipMalloc(&none, size_t{1} << 50), hipErrorOutOfMemory);
  OK(hipFree(device));
  hipMemPool_t pool;
  unsigned long long keep = 1 << 20;
  OK(hipDeviceGetDefaultMemPool(&pool, 0));
  OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
  OK(hipMallocAsync(&device, 1 << 16, stream));
  OK(hipMemsetAsync(device, 0, 1 << 16, stream));
  OK(hipFreeAsync(device, stream));
  OK(hipStreamSynchronize(stream));
}

void testAttributes() {
  hipPointerAttribute_t attributes;
  void* device;
  void* pinned;
  std::vector<char> pageable(1 << 16);
  OK(hipMalloc(&device, 4096));
  OK(hipPointerGetAttributes(&attributes, device));
  CHECK(attributes.type == hipMemoryTypeDevice && attributes.device == 0 && attributes.devicePointer == device);
  OK(hipHostMalloc(&pinned, 4096, hipHostMallocNonCoherent));
  OK(hipPointerGetAttributes(&attributes, pinned));
  CHECK(attributes.type == hipMemoryTypeHost && attributes.hostPointer == pinned);
  STATUS(hipPointerGetAttributes(&attributes, pageable.data()), hipErrorInvalidValue);
  OK(hipHostRegister(pageable.data(), pageable.size(), hipHostRegisterDefault));
  STATUS(hipHostRegister(pageable.data(), pageable.size(), 0), hipErrorHostMemoryAlreadyRegistered);
  OK(hipPointerGetAttributes(&attributes, pageable.data()));
  CHECK(attributes.type == hipMemoryTypeHost);
  OK(hipHostUnregister(pageable.data()));
  STATUS(hipHostUnregister(pageable.data()), hipErrorHostMemoryNotRegistered);
  OK(hipHostFree(pinned));
  OK(hipFree(device));
}

void testCopies(hipStream_t stream) {
  float* device;
  float* host;
  constexpr int n = 1000;
  OK(hipMalloc(reinterpret_cast<void**>(&device), n * sizeof(float)));
  OK(hipHostMalloc(reinterpret_cast<void**>(&host), n * sizeof(float), 0));
  for (int i = 0; i < n; i++) {
    host[i] = static_cast<float>(i);
  }
  std::vector<float> back(n);
  OK(hipMemcpyAsync(device, host, n * sizeof(float), hipMemcpyHostToDevice, stream));
  OK(hipMemcpyAsync(back.data(), device, n * sizeof(float), hipMemcpyDefault, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(back[999] == 999);
  // the middle two columns of a 4 x 250 matrix
  OK(hipMemcpy2DAsync(back.data(), 8, reinterpret_cast<char*>(device) + 4, 16, 8, 250, hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(back[0] == 1 && back[1] == 2 && back[2] == 5 && back[499] == 998);
  OK(hipMemsetAsync(device, 0xff, 8, stream));
  OK(hipStreamSynchronize(stream));
  OK(hipMemcpy(back.data(), device, 4, hipMemcpyDeviceToHost));
  CHECK(std::isnan(back[0]));
  STATUS(hipMemcpyAsync(device, host, 4, static_cast<hipMemcpyKind>(77), stream), hipErrorInvalidMemcpyDirection);
  STATUS(hipMemcpyAsync(nullptr, host, 4, hipMemcpyHostToDevice, stream), hipErrorInvalidValue);
  OK(hipMemcpyAsync(nullptr, nullptr, 0, hipMemcpyHostToDevice, stream));
  STATUS(hipMemcpy2DAsync(device, 4, host, 16, 8, 2, hipMemcpyDefault, stream), hipErrorInvalidPitchValue);
  OK(hipHostFree(host));
  OK(hipFree(device));
}

}  // namespace

void selftest::testMemory() {
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  testAllocation(stream);
  testAttributes();
  testCopies(stream);
  OK(hipStreamDestroy(stream));
}

void selftest::testModules() {
  hipStream_t stream;
  hipFunction_t function;
  hipModule_t module;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  STATUS(hipModuleGetFunction(&function, kernels().module, "none"), hipErrorNotFound);
  STATUS(hipModuleLoadData(&module, "no code object at all, but some text"), hipErrorInvalidImage);
  int value = 0;
  OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernels().add));
  CHECK(value == 1024);
  STATUS(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX, kernels().add), hipErrorInvalidValue);

  double* out;
  OK(hipMalloc(reinterpret_cast<void**>(&out), 64));
  char c = 1;
  double four[4] = {0, 0, 0, 20};
  short s = 300;
  float f = 4000;
  void* list[] = {&c, &out, four, &s, &f};
  double result = 0;
  OK(launch(kernels().many, 1, stream, list));
  OK(hipMemcpyAsync(&result, out, 8, hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(result == 4321);

  // the same by a packed argument block with HIP's markers
  struct {
    char c = 2;
    double* out;
    double four[4] = {0, 0, 0, 20};
    short s = 300;
    float f = 4000;
  } block{.out = out};
  size_t size = sizeof block;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(kernels().many, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra));
  OK(hipMemcpyAsync(&result, out, 8, hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(result == 4322);
  STATUS(hipModuleLaunchKernel(kernels().empty, 0, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr),
         hipErrorInvalidConfiguration);
  CHECK(hipModuleLaunchKernel(kernels().empty, 1, 1, 1, 2048, 1, 1, 0, stream, nullptr, nullptr) != hipSuccess);
  OK(hipFree(out));
  OK(hipStreamDestroy(stream));
}
