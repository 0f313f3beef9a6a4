#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "rocblas_abi.h"

extern "C" {
void hipOnCudaWatch(int on);
long hipOnCudaCalls(const char* function);
}

using namespace selftest;

namespace {

std::string logText() {
  std::vector<char> text(static_cast<size_t>(hipOnCpuLog(nullptr, 0)));
  hipOnCpuLog(text.data(), static_cast<long>(text.size()));
  return text.data();
}

template <class Call>
double nanosecondsOf(int count, Call call) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; i++) {
    call();
  }
  std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / count;
}

// Streams made, used and destroyed by eight threads at once: the table of live streams is read without a lock.
void churn(int thread, bool* right) {
  float* out;
  *right = hipSetDevice(0) == hipSuccess && hipMalloc(reinterpret_cast<void**>(&out), 4096) == hipSuccess;
  for (int round = 0; round < 50 && *right; round++) {
    hipStream_t stream;
    float value = static_cast<float>(thread * 1000 + round);
    float back = -1;
    *right = hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess;
    for (int i = 0; i < 20; i++) {
      *right = *right && fill(out, value, 1000, stream) == hipSuccess;
    }
    *right = *right && hipMemcpyAsync(&back, out + 999, 4, hipMemcpyDeviceToHost, stream) == hipSuccess &&
             hipStreamSynchronize(stream) == hipSuccess && back == value && hipStreamDestroy(stream) == hipSuccess &&
             hipStreamQuery(stream) != hipSuccess;
  }
  *right = hipFree(out) == hipSuccess && *right;
}

}  // namespace

void selftest::testThreads() {
  constexpr int count = 8;
  bool right[count];
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++) {
    threads.emplace_back(churn, i, &right[i]);
  }
  for (int i = 0; i < count; i++) {
    threads[i].join();
    CHECK(right[i]);
  }
}

void selftest::printCosts() {
  hipStream_t stream;
  hipEvent_t event;
  hipGraph_t graph;
  hipGraphExec_t exec;
  int device;
  hipStreamCaptureStatus capturing;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  OK(launch(kernels().empty, 1, stream, nullptr));
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  auto time = [&](const char* name, int count, auto call) {
    nanosecondsOf(count / 10, call);
    OK(hipStreamSynchronize(stream));
    printf("  %s %.0f ns\n", name, nanosecondsOf(count, call));
    OK(hipStreamSynchronize(stream));
  };
  time("hipGetDevice", 100000, [&] { return hipGetDevice(&device); });
  time("hipSetDevice", 100000, [&] { return hipSetDevice(0); });
  time("hipStreamIsCapturing", 100000, [&] { return hipStreamIsCapturing(stream, &capturing); });
  time("hipEventRecord", 1000, [&] { return hipEventRecord(event, stream); });
  time("hipStreamWaitEvent", 1000, [&] { return hipStreamWaitEvent(stream, event, 0); });
  time("hipModuleLaunchKernel", 500, [&] { return launch(kernels().empty, 1, stream, nullptr); });
  time("hipGraphLaunch", 500, [&] { return hipGraphLaunch(exec, stream); });
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
}

void selftest::testControl() {
  kernels();
  hipOnCpuReset();
  long streams = hipOnCpuLive("streams");
  long bytes = hipOnCpuLive("bytes");
  hipStream_t stream;
  void* memory = nullptr;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipOnCpuLive("streams") == streams + 1);
  hipOnCpuFail("hipMalloc", 2, hipErrorOutOfMemory);
  OK(hipMalloc(&memory, 1000));
  CHECK(hipOnCpuLive("bytes") == bytes + 1000);
  void* second = nullptr;
  STATUS(hipMalloc(&second, 1000), hipErrorOutOfMemory);
  CHECK(second == nullptr);
  CHECK(hipOnCpuCalls("hipMalloc") == 2 && hipOnCudaCalls("hipMalloc") == 2);
  hipOnCpuFail("*", 1, hipErrorUnknown);
  STATUS(hipStreamQuery(stream), hipErrorUnknown);
  OK(hipStreamQuery(stream));
  hipOnCpuDelay("hipStreamQuery", 1, 20000000);
  CHECK(nanosecondsOf(1, [&] { return hipStreamQuery(stream); }) > 15e6);

  rocblas_handle handle = nullptr;
  OK(rocblas_create_handle(&handle));
  if (handle == nullptr) {
    return;
  }
  OK(rocblas_set_stream(handle, stream));
  hipOnCpuFail("rocblas_get_stream", 1, rocblas_status_internal_error);
  hipStream_t now;
  STATUS(rocblas_get_stream(handle, &now), rocblas_status_internal_error);
  OK(rocblas_set_stream(handle, nullptr));
  OK(rocblas_destroy_handle(handle));
  std::string log = logText();
  char wanted[100];
  snprintf(wanted, sizeof wanted, " hipStreamQuery %p 0 999 hip-on-cuda-test\n", static_cast<void*>(stream));
  CHECK(log.find(wanted) != std::string::npos);
  CHECK(log.find("librocblas.so.4\n") != std::string::npos);
  CHECK(log.find(" rocblas_set_stream 0x0 0 0 ") != std::string::npos);
  CHECK(log.find(" rocblas_create_handle - 0 0 ") != std::string::npos);
  OK(hipFree(memory));
  OK(hipStreamDestroy(stream));
  CHECK(hipOnCpuLive("streams") == streams && hipOnCpuLive("bytes") == bytes);
  CHECK(hipOnCpuLive("nothing") == -1);
  hipOnCudaWatch(0);
  long before = hipOnCpuCalls("*");
  OK(hipDeviceSynchronize());
  CHECK(hipOnCpuCalls("*") == before);
}
