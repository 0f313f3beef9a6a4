// Every function of the stand-ins, called once where it must work and once where it must not. Run before anything else
// on a new machine: hip-on-cuda-test. Without a GPU only the compiler is tested, and the exit code is 77.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "check.h"
#include "hiprtc_abi.h"

namespace selftest {
namespace {

const char* current = "";
int held = 0;
int broken = 0;
int sectionHeld = 0;

void endSection() {
  if (*current) {
    printf("%-10s %d\n", current, sectionHeld);
    fflush(stdout);
  }
}

constexpr const char* source = R"(
extern "C" __global__ void add(float* out, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
extern "C" __global__ void fill(float* out, float value, int n) {
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) out[i] = value;
}
extern "C" __global__ void spin(long long nanoseconds) {
  long long start = wall_clock64();
  while (wall_clock64() - start < nanoseconds) {}
}
extern "C" __global__ void empty() {}
struct Four { double a[4]; };
extern "C" __global__ void many(char c, double* out, Four four, short s, float f) {
  out[0] = c + four.a[3] + s + f;
}
)";

Kernels load() {
  Kernels k;
  hiprtcProgram program;
  OK(hiprtcCreateProgram(&program, source, "selftest.hip", 0, nullptr, nullptr));
  if (hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS) {
    size_t size = 0;
    hiprtcGetProgramLogSize(program, &size);
    std::vector<char> log(size + 1);
    hiprtcGetProgramLog(program, log.data());
    note(false, log.data(), __FILE__, __LINE__);
    return k;
  }
  size_t size;
  OK(hiprtcGetCodeSize(program, &size));
  std::vector<char> code(size);
  OK(hiprtcGetCode(program, code.data()));
  OK(hipModuleLoadData(&k.module, code.data()));
  OK(hipModuleGetFunction(&k.add, k.module, "add"));
  OK(hipModuleGetFunction(&k.fill, k.module, "fill"));
  OK(hipModuleGetFunction(&k.spin, k.module, "spin"));
  OK(hipModuleGetFunction(&k.empty, k.module, "empty"));
  OK(hipModuleGetFunction(&k.many, k.module, "many"));
  OK(hiprtcDestroyProgram(&program));
  return k;
}

}  // namespace

void begin(const char* section) {
  endSection();
  current = section;
  sectionHeld = 0;
}

void note(bool holds, const char* text, const char* file, int line) {
  if (holds) {
    held++;
    sectionHeld++;
    return;
  }
  broken++;
  const char* slash = strrchr(file, '/');
  printf("BROKEN %s:%d %s\n", slash ? slash + 1 : file, line, text);
  fflush(stdout);
}

void noteStatus(int status, int wanted, const char* text, const char* file, int line) {
  if (status == wanted) {
    note(true, text, file, line);
    return;
  }
  char full[400];
  snprintf(full, sizeof full, "%s = %d, wanted %d", text, status, wanted);
  note(false, full, file, line);
}

int finish() {
  begin("");
  printf("%d held, %d broken\n", held, broken);
  return broken == 0 ? 0 : 1;
}

const Kernels& kernels() {
  static const Kernels loaded = load();
  return loaded;
}

hipError_t launch(hipFunction_t function, unsigned threads, hipStream_t stream, void** parameters) {
  return hipModuleLaunchKernel(function, (threads + 255) / 256, 1, 1, threads < 256 ? threads : 256, 1, 1, 0, stream,
                               parameters, nullptr);
}

hipError_t spin(long long nanoseconds, hipStream_t stream) {
  void* parameters[] = {&nanoseconds};
  return launch(kernels().spin, 1, stream, parameters);
}

hipError_t fill(float* out, float value, int n, hipStream_t stream) {
  void* parameters[] = {&out, &value, &n};
  return launch(kernels().fill, n, stream, parameters);
}

float first(const float* device, hipStream_t stream) {
  float value = -1;
  OK(hipMemcpyAsync(&value, device, sizeof value, hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return value;
}

// An illegal access ends a context, so it is tried in a process of its own.
int runFault() {
  hipStream_t stream;
  float* nowhere = reinterpret_cast<float*>(0x100);
  bool seen = hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess &&
              fill(nowhere, 1, 1, stream) == hipSuccess && hipStreamSynchronize(stream) == hipErrorIllegalAddress &&
              hipStreamQuery(stream) == hipErrorIllegalAddress;
  return seen ? 0 : 1;
}

}  // namespace selftest

namespace {

int faultInChild(const char* self) {
  pid_t child = fork();
  if (child == 0) {
    execl(self, self, "--fault", nullptr);
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int main(int count, char** arguments) {
  using namespace selftest;
  if (count > 1 && strcmp(arguments[1], "--fault") == 0) {
    return runFault();
  }
  int fault = faultInChild("/proc/self/exe");
  begin("compiler");
  testCompiler();
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess) {
    STATUS(hipGetDeviceCount(&devices), hipErrorNoDevice);
    STATUS(hipInit(0), hipErrorNoDevice);
    int broken = finish();
    printf("no GPU: %s\n", hipGetErrorName(hipGetLastError()));
    return broken ? broken : 77;
  }
  begin("devices");
  testDevices();
  begin("modules");
  testCompiledCode();
  testModules();
  begin("streams");
  testStreams();
  begin("events");
  testEvents();
  begin("memory");
  testMemory();
  begin("captures");
  testCaptures();
  begin("graphs");
  testGraphs();
  begin("handles");
  testHandles();
  begin("gemm");
  testGemm();
  begin("threads");
  testThreads();
  begin("fault");
  CHECK(fault == 0);
  printCosts();
  begin("control");
  testControl();
  return finish();
}
