// AMD's own rocBLAS, MIOpen and hipBLAS over this runtime: handles, streams, and a matrix product whose kernel is
// launched on the bound stream. Run in a root that holds those libraries, with this runtime first on the loader's path.
#include <dlfcn.h>

#include <cstring>
#include <sstream>

#include "check.h"

namespace {

void* open(const char* name) {
  void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw Failure{dlerror()};
  return library;
}

template <typename Function>
Function* find(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) throw Failure{std::string(name) + " is missing"};
  return reinterpret_cast<Function*>(symbol);
}

using Create = int(void** handle);
using CreateWithStream = int(void** handle, hipStream_t stream);
using Destroy = int(void* handle);
using SetStream = int(void* handle, hipStream_t stream);
using GetStream = int(void* handle, hipStream_t* stream);
using Sgemm = int(void* handle, int a, int b, int m, int n, int k, const float* alpha, const float* A, int lda,
                  const float* B, int ldb, const float* beta, float* C, int ldc);
constexpr int kNotTransposed = 111;

std::vector<std::string> linesWith(const char* word) {
  std::string buffer(static_cast<size_t>(hipOnCpuLog(nullptr, 0)), '\0');
  hipOnCpuLog(buffer.data(), static_cast<long>(buffer.size()));
  std::istringstream in(buffer.c_str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.find(word) != std::string::npos) lines.push_back(line);
  }
  return lines;
}

void print(const char* title) {
  std::printf("%s\n", title);
  for (const auto& line : linesWith("")) std::printf("  %s\n", line.c_str());
}

// Binds to two streams in turn and asks the library's own getter each time.
void checkStreams(void* handle, SetStream* setStream, GetStream* getStream, hipStream_t initial) {
  auto first = newStream(), second = newStream();
  hipStream_t bound = first;
  CHECK_EQUAL(getStream(handle, &bound), 0);
  CHECK(bound == initial);
  for (auto stream : {first, second, first}) {
    CHECK_EQUAL(setStream(handle, stream), 0);
    CHECK_EQUAL(getStream(handle, &bound), 0);
    CHECK(bound == stream);
  }
  CHECK_EQUAL(setStream(handle, initial), 0);
  for (auto stream : {first, second}) OK(hipStreamDestroy(stream));
}

float* floats(size_t count) {
  void* memory = nullptr;
  OK(hipMalloc(&memory, count * sizeof(float)));
  return static_cast<float*>(memory);
}

}  // namespace

TEST(realRocblasLaunchesOnTheBoundStream) {
  void* library = open("librocblas.so.4");
  auto* setStream = find<SetStream>(library, "rocblas_set_stream");
  void* handle;
  CHECK_EQUAL(find<Create>(library, "rocblas_create_handle")(&handle), 0);
  checkStreams(handle, setStream, find<GetStream>(library, "rocblas_get_stream"), nullptr);
  auto stream = newStream();
  CHECK_EQUAL(setStream(handle, stream), 0);
  constexpr int n = 64;
  float *a = floats(n * n), *b = floats(n * n), *c = floats(n * n);
  const float alpha = 1, beta = 0;
  hipOnCpuReset();
  int status = find<Sgemm>(library, "rocblas_sgemm")(handle, kNotTransposed, kNotTransposed, n, n, n, &alpha, a, n, b,
                                                     n, &beta, c, n);
  print("rocblas_sgemm");
  CHECK_EQUAL(status, 0);
  auto launches = linesWith(" hipExtModuleLaunchKernel ");
  CHECK(!launches.empty());
  char expected[64];
  std::snprintf(expected, sizeof expected, " %p 0 0 librocblas.so.4", static_cast<void*>(stream));
  for (const auto& line : launches) CHECK(line.find(expected) != std::string::npos);
  CHECK_EQUAL(setStream(handle, nullptr), 0);
  CHECK_EQUAL(find<Destroy>(library, "rocblas_destroy_handle")(handle), 0);
  OK(hipStreamDestroy(stream));
  for (float* p : {a, b, c}) OK(hipFree(p));
}

TEST(realMiopenKeepsItsStreams) {
  void* library = open("libMIOpen.so.1");
  auto stream = newStream();
  void* handle;
  CHECK_EQUAL(find<CreateWithStream>(library, "miopenCreateWithStream")(&handle, stream), 0);
  checkStreams(handle, find<SetStream>(library, "miopenSetStream"), find<GetStream>(library, "miopenGetStream"),
               stream);
  print("miopenCreateWithStream, set and get");
  CHECK_EQUAL(find<Destroy>(library, "miopenDestroy")(handle), 0);
  OK(hipStreamDestroy(stream));
}

TEST(realHipblasKeepsItsStreams) {
  void* library = open("libhipblas.so.2");
  void* handle;
  CHECK_EQUAL(find<Create>(library, "hipblasCreate")(&handle), 0);
  checkStreams(handle, find<SetStream>(library, "hipblasSetStream"), find<GetStream>(library, "hipblasGetStream"),
               nullptr);
  CHECK_EQUAL(find<Destroy>(library, "hipblasDestroy")(handle), 0);
}

TEST(realHipblasltMakesAHandle) {
  void* library = open("libhipblaslt.so.1");
  void* handle;
  CHECK_EQUAL(find<Create>(library, "hipblasLtCreate")(&handle), 0);
  CHECK_EQUAL(find<Destroy>(library, "hipblasLtDestroy")(handle), 0);
}
