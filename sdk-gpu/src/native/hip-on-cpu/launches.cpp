#include <cstring>
#include <limits>

#include "control.h"
#include "graph.h"
#include "modules.h"
#include "runtime.h"

namespace hipcpu {
namespace {

constexpr unsigned kThreadsPerBlock = 1024;
constexpr unsigned kSharedBytes = 64 * 1024;

// Kernels in the code of AMD's own libraries, by the address of the stub that a <<<…>>> launch names.
std::unordered_map<const void*, std::shared_ptr<const Kernel>>& compiledKernels() {
  static auto* all = new std::unordered_map<const void*, std::shared_ptr<const Kernel>>;
  return *all;
}

struct Block {
  const void* address = nullptr;
  size_t size = 0;
};

// The list of markers and values that `extra` is.
hipError_t readExtra(void** extra, Block& block) {
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      block.address = extra[1];
    } else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
      block.size = *static_cast<size_t*>(extra[1]);
    } else {
      return hipErrorInvalidValue;
    }
  }
  return block.address == nullptr && block.size > 0 ? hipErrorInvalidValue : hipSuccess;
}

hipError_t takeBlock(KernelLaunch& launch, void** extra) {
  Block block;
  if (auto refused = readExtra(extra, block)) return refused;
  for (const auto& argument : launch.kernel->arguments) {
    if (argument.offset + argument.size > block.size) return hipErrorInvalidValue;
  }
  launch.arguments.resize(std::max<size_t>(block.size, launch.kernel->argumentBytes));
  if (block.size > 0) std::memcpy(launch.arguments.data(), block.address, block.size);
  return hipSuccess;
}

hipError_t takeParameters(KernelLaunch& launch, void** parameters) {
  const Kernel& kernel = *launch.kernel;
  launch.arguments.resize(kernel.argumentBytes);
  if (!kernel.arguments.empty() && parameters == nullptr) return hipErrorInvalidValue;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    if (parameters[i] == nullptr) return hipErrorInvalidValue;
    std::memcpy(launch.arguments.data() + kernel.arguments[i].offset, parameters[i], kernel.arguments[i].size);
  }
  return hipSuccess;
}

bool isTooLarge(unsigned blocks, unsigned threads) {
  return uint64_t{blocks} * threads > std::numeric_limits<uint32_t>::max();
}

hipError_t checkShape(dim3 grid, dim3 block, unsigned sharedBytes) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return hipErrorInvalidValue;
  if (block.x == 0 || block.y == 0 || block.z == 0) return hipErrorInvalidConfiguration;
  if (isTooLarge(grid.x, block.x) || isTooLarge(grid.y, block.y) || isTooLarge(grid.z, block.z)) {
    return hipErrorInvalidConfiguration;
  }
  if (sharedBytes > kSharedBytes) return hipErrorInvalidValue;
  return uint64_t{block.x} * block.y * block.z > kThreadsPerBlock ? hipErrorInvalidValue : hipSuccess;
}

hipError_t launchOn(hipStream_t stream, const void* function, dim3 grid, dim3 block, unsigned sharedBytes,
                    void** parameters, void** extra) {
  auto held = guard();
  KernelLaunch launch;
  if (auto refused = prepare(launch, function, grid, block, sharedBytes, parameters, extra)) return refused;
  return enqueue(stream, std::move(launch));
}

unsigned blocksFor(unsigned threads, unsigned perBlock) {
  return perBlock == 0 ? 0 : threads / perBlock + (threads % perBlock != 0);
}

// Sizes are in threads here, and two events may be recorded around the kernel.
hipError_t launchByThreads(hipFunction_t function, dim3 threads, dim3 block, size_t sharedBytes, hipStream_t stream,
                           void** parameters, void** extra, hipEvent_t start, hipEvent_t stop) {
  if (block.x == 0 || block.y == 0 || block.z == 0) return hipErrorInvalidConfiguration;
  auto held = guard();
  KernelLaunch launch;
  dim3 grid{blocksFor(threads.x, block.x), blocksFor(threads.y, block.y), blocksFor(threads.z, block.z)};
  auto refused = prepare(launch, function, grid, block, static_cast<unsigned>(sharedBytes), parameters, extra);
  if (refused) return refused;
  if (Runtime::get().stream(stream) == nullptr) return hipErrorContextIsDestroyed;
  if (start != nullptr) {
    if (auto failed = recordEvent(start, stream, hipEventRecordDefault)) return failed;
  }
  if (auto failed = enqueue(stream, std::move(launch))) return failed;
  return stop == nullptr ? hipSuccess : recordEvent(stop, stream, hipEventRecordDefault);
}

}  // namespace

std::shared_ptr<const Kernel> findKernel(const void* function) {
  if (auto found = Runtime::get().kernels.find(function)) return found;
  auto compiled = compiledKernels().find(function);
  return compiled == compiledKernels().end() ? nullptr : compiled->second;
}

std::vector<void*> KernelLaunch::argumentPointers() const {
  std::vector<void*> pointers;
  auto* start = const_cast<unsigned char*>(arguments.data());
  for (const auto& argument : kernel->arguments) pointers.push_back(start + argument.offset);
  return pointers;
}

void KernelLaunch::run() const {
  if (kernel->run == nullptr) return;
  auto pointers = argumentPointers();
  const unsigned gridSize[3] = {grid.x, grid.y, grid.z}, blockSize[3] = {block.x, block.y, block.z};
  kernel->run(pointers.data(), gridSize, blockSize, sharedBytes);
}

hipError_t prepare(KernelLaunch& launch, const void* function, dim3 grid, dim3 block, unsigned sharedBytes,
                   void** parameters, void** extra) {
  if (function == nullptr) return hipErrorInvalidResourceHandle;
  launch.kernel = findKernel(function);
  if (launch.kernel == nullptr) return hipErrorInvalidDeviceFunction;
  if (parameters != nullptr && extra != nullptr) return hipErrorInvalidValue;
  if (auto refused = checkShape(grid, block, sharedBytes)) return refused;
  launch.function = function;
  launch.grid = grid;
  launch.block = block;
  launch.sharedBytes = sharedBytes;
  return extra != nullptr ? takeBlock(launch, extra) : takeParameters(launch, parameters);
}

}  // namespace hipcpu

using namespace hipcpu;

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                 hipStream_t stream, void** parameters, void** extra) {
  return api(__func__, stream, CALLER, [&] {
    return launchOn(stream, function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, parameters, extra);
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                            unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                            hipStream_t stream, void** parameters) {
  return api(__func__, stream, CALLER, [&] {
    return launchOn(stream, function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, parameters,
                    nullptr);
  });
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t globalX, uint32_t globalY, uint32_t globalZ,
                                    uint32_t localX, uint32_t localY, uint32_t localZ, size_t sharedBytes,
                                    hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
                                    hipEvent_t stop, uint32_t) {
  return api(__func__, stream, CALLER, [&] {
    return launchByThreads(function, {globalX, globalY, globalZ}, {localX, localY, localZ}, sharedBytes, stream,
                           parameters, extra, start, stop);
  });
}

// AMD's libraries were compiled against a declaration without C linkage.
MILLRACE_EXPORT hipError_t extModuleLaunchKernel(
    hipFunction_t function, uint32_t globalX, uint32_t globalY, uint32_t globalZ, uint32_t localX, uint32_t localY,
    uint32_t localZ, size_t sharedBytes, hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
    hipEvent_t stop,
    uint32_t) asm("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j");

hipError_t extModuleLaunchKernel(hipFunction_t function, uint32_t globalX, uint32_t globalY, uint32_t globalZ,
                                 uint32_t localX, uint32_t localY, uint32_t localZ, size_t sharedBytes,
                                 hipStream_t stream, void** parameters, void** extra, hipEvent_t start, hipEvent_t stop,
                                 uint32_t) {
  return api("hipExtModuleLaunchKernel", stream, CALLER, [&] {
    return launchByThreads(function, {globalX, globalY, globalZ}, {localX, localY, localZ}, sharedBytes, stream,
                           parameters, extra, start, stop);
  });
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** parameters, size_t sharedBytes,
                           hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] {
    return launchOn(stream, function, grid, block, static_cast<unsigned>(sharedBytes), parameters, nullptr);
  });
}

// What follows is called by code that the compiler makes, at load time and before each launch: it is neither counted
// nor written down.

void** __hipRegisterFatBinary(const void*) { return static_cast<void**>(newHandle()); }

void __hipUnregisterFatBinary(void**) {}

void __hipRegisterFunction(void**, const void* hostFunction, char*, const char* deviceName, unsigned, void*, void*,
                           dim3*, dim3*, int*) {
  auto kernel = std::make_shared<Kernel>();
  kernel->name = deviceName;
  auto held = guard();
  compiledKernels()[hostFunction] = kernel;
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, hipStream_t stream) {
  threadState().configurations.push_back({grid, block, sharedBytes, stream});
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, hipStream_t* stream) {
  auto& configurations = threadState().configurations;
  if (configurations.empty()) return hipErrorMissingConfiguration;
  auto last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *sharedBytes = last.sharedBytes;
  *stream = last.stream;
  return hipSuccess;
}
