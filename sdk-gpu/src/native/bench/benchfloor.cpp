// Prints the floor of this machine: benchfloor FOLDER, where FOLDER holds libamdhip64.so.6 and libhiprtc.so.6.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "floor.h"
#include "hip_abi.h"

namespace {

constexpr const char* source = R"(
extern "C" __global__ void empty() {}
extern "C" __global__ void spin(long long ticks) {
  long long start = wall_clock64();
  while (wall_clock64() - start < ticks) {}
}
)";

[[noreturn]] void stop(const char* what, long status) {
  fprintf(stderr, "%s failed: %ld %s\n", what, status, floorError());
  exit(1);
}

void check(long status, const char* what) {
  if (status != 0) {
    stop(what, status);
  }
}

template <class Function>
Function function(void* library, const char* name) {
  auto found = reinterpret_cast<Function>(dlsym(library, name));
  if (found == nullptr) {
    stop(name, -1);
  }
  return found;
}

#define HIP(name) function<decltype(&name)>(hipLibrary, #name)

void* hipLibrary;
void* rtcLibrary;

std::vector<char> compile() {
  using Program = void*;
  auto create = function<int (*)(Program*, const char*, const char*, int, const char**, const char**)>(
      rtcLibrary, "hiprtcCreateProgram");
  auto compileProgram = function<int (*)(Program, int, const char**)>(rtcLibrary, "hiprtcCompileProgram");
  auto codeSize = function<int (*)(Program, size_t*)>(rtcLibrary, "hiprtcGetCodeSize");
  auto code = function<int (*)(Program, char*)>(rtcLibrary, "hiprtcGetCode");
  Program program;
  size_t size;
  check(create(&program, source, "floor.hip", 0, nullptr, nullptr), "hiprtcCreateProgram");
  check(compileProgram(program, 0, nullptr), "hiprtcCompileProgram");
  check(codeSize(program, &size), "hiprtcGetCodeSize");
  std::vector<char> object(size);
  check(code(program, object.data()), "hiprtcGetCode");
  return object;
}

double median(std::vector<int64_t> nanos) {
  std::nth_element(nanos.begin(), nanos.begin() + nanos.size() / 2, nanos.end());
  return static_cast<double>(nanos[nanos.size() / 2]) / 1000;
}

struct Kernels {
  FloorKernel empty;
  FloorKernel spin;
  long long ticks = 0;
  void* parameters[1] = {&ticks};

  Kernels() {
    hipModule_t module;
    hipFunction_t emptyFunction;
    hipFunction_t spinFunction;
    int kilohertz = 0;
    std::vector<char> object = compile();
    check(HIP(hipModuleLoadData)(&module, object.data()), "hipModuleLoadData");
    check(HIP(hipModuleGetFunction)(&emptyFunction, module, "empty"), "hipModuleGetFunction");
    check(HIP(hipModuleGetFunction)(&spinFunction, module, "spin"), "hipModuleGetFunction");
    check(HIP(hipDeviceGetAttribute)(&kilohertz, hipDeviceAttributeWallClockRate, 0), "hipDeviceGetAttribute");
    ticks = 5LL * kilohertz / 1000;  // 5 microseconds
    empty = {emptyFunction, {1, 1, 1}, {1, 1, 1}, 0, 0, nullptr};
    spin = {spinFunction, {1, 1, 1}, {1, 1, 1}, 0, 0, parameters};
  }
};

hipGraphExec_t capture(const FloorKernel& kernel, int kernels, hipStream_t stream) {
  hipGraph_t graph;
  hipGraphExec_t exec;
  int64_t nanos;
  check(HIP(hipStreamBeginCapture)(stream, hipStreamCaptureModeThreadLocal), "hipStreamBeginCapture");
  auto launch = HIP(hipModuleLaunchKernel);
  for (int i = 0; i < kernels; i++) {
    check(launch(static_cast<hipFunction_t>(kernel.function), 1, 1, 1, 1, 1, 1, 0, stream, kernel.parameters, nullptr),
          "hipModuleLaunchKernel");
  }
  check(HIP(hipStreamEndCapture)(stream, &graph), "hipStreamEndCapture");
  check(HIP(hipGraphInstantiateWithFlags)(&exec, graph, 0), "hipGraphInstantiateWithFlags");
  check(HIP(hipGraphDestroy)(graph), "hipGraphDestroy");
  check(floorThroughput(stream, &kernel, 0, exec, 1, &nanos), "floorThroughput");
  return exec;
}

void printSubmissions(const Kernels& kernels, hipStream_t stream, hipEvent_t event) {
  printf("submit, microseconds (median): kernels, external run, launches alone, replay\n");
  for (int count : {1, 10, 100}) {
    hipGraphExec_t exec = capture(kernels.empty, count, stream);
    int drain = 500 / count;
    std::vector<int64_t> external(1000), launches(1000), replay(1000);
    for (int warm = 0; warm < 2; warm++) {
      check(floorExternal(stream, event, 0, &kernels.empty, count, 1000, drain, external.data()), "floorExternal");
      check(floorLaunches(stream, &kernels.empty, count, 1000, drain, launches.data()), "floorLaunches");
      check(floorReplay(stream, event, 0, exec, 1000, 20, replay.data()), "floorReplay");
    }
    printf("%5d %8.2f %8.2f %8.2f\n", count, median(external), median(launches), median(replay));
    check(HIP(hipGraphExecDestroy)(exec), "hipGraphExecDestroy");
  }
  hipGraphExec_t exec = capture(kernels.empty, 100, stream);
  std::vector<int64_t> separate(300), graph(300);
  check(floorThroughput(stream, &kernels.empty, 100, nullptr, 300, separate.data()), "floorThroughput");
  check(floorThroughput(stream, &kernels.empty, 100, exec, 300, graph.data()), "floorThroughput");
  printf("100 empty kernels until done: separate %.1f, graph %.1f\n", median(separate), median(graph));
  check(HIP(hipGraphExecDestroy)(exec), "hipGraphExecDestroy");
}

double pattern(const FloorKernel& kernel, int shape, int callers, int lanes, int count) {
  FloorPattern p{shape, callers, lanes, count, 0, 0, &kernel, &kernel, &kernel};
  std::vector<double> rounds;
  for (int round = 0; round < 5; round++) {
    double micros = 0;
    check(floorPattern(&p, 100, &micros), "floorPattern");
    rounds.push_back(micros);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[rounds.size() / 2];
}

void printPatterns(const Kernels& kernels) {
  printf("one run of all callers' runs, microseconds (median of 5): spin, kernels, callers,\n"
         "  external with a lane each, external one lane, fork/join one stream, fork/join a stream each, host sync\n");
  for (const FloorKernel* kernel : {&kernels.empty, &kernels.spin}) {
    for (int count : {1, 20}) {
      for (int callers : {1, 2, 4, 8}) {
        printf("%2d %3d %2d", kernel == &kernels.empty ? 0 : 5, count, callers);
        printf(" %7.1f", pattern(*kernel, FLOOR_EXTERNAL, callers, callers, count));
        printf(" %7.1f", pattern(*kernel, FLOOR_EXTERNAL, callers, 1, count));
        printf(" %7.1f", pattern(*kernel, FLOOR_FORK_JOIN, callers, 1, count));
        printf(" %7.1f", pattern(*kernel, FLOOR_FORK_JOIN, callers, callers, count));
        printf(" %7.1f\n", pattern(*kernel, FLOOR_HOST_SYNC, callers, 1, count));
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: benchfloor FOLDER\n");
    return 2;
  }
  std::string folder = arguments[1];
  check(floorOpen(folder.c_str()), "floorOpen");
  hipLibrary = dlopen((folder + "/libamdhip64.so.6").c_str(), RTLD_NOW);
  rtcLibrary = dlopen((folder + "/libhiprtc.so.6").c_str(), RTLD_NOW);
  if (hipLibrary == nullptr || rtcLibrary == nullptr) {
    stop(dlerror(), -1);
  }
  check(HIP(hipInit)(0), "hipInit");
  hipStream_t stream;
  hipEvent_t event;
  check(HIP(hipStreamCreateWithFlags)(&stream, hipStreamNonBlocking), "hipStreamCreateWithFlags");
  check(HIP(hipEventCreateWithFlags)(&event, hipEventDisableTiming), "hipEventCreateWithFlags");
  Kernels kernels;
  printSubmissions(kernels, stream, event);
  printPatterns(kernels);
  return 0;
}
