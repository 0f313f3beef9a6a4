#include "modules.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "control.h"
#include "runtime.h"

namespace hipcpu {

Module::~Module() {
  if (library != nullptr) dlclose(library);
}

namespace {

using millrace::KernelDescription;

Kernel described(const KernelDescription& description) {
  Kernel kernel;
  kernel.name = description.name;
  kernel.describesArguments = true;
  kernel.argumentBytes = description.argumentBytes;
  for (const auto& argument : description.arguments) {
    if (argument.kind.rfind("hidden_", 0) == 0) continue;  // the runtime's own, behind the caller's
    kernel.arguments.push_back(argument);
    kernel.argumentBytes = std::max(kernel.argumentBytes, argument.offset + argument.size);
  }
  return kernel;
}

// A file of its own that is gone from the folder at once; null if it could not be loaded.
void* loadPrivately(std::span<const uint8_t> elf) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/hip-on-cpu-XXXXXX";
  int file = mkstemp(path.data());
  if (file < 0) return nullptr;
  bool isWritten = write(file, elf.data(), elf.size()) == static_cast<ssize_t>(elf.size());
  close(file);
  void* library = isWritten ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (isWritten && library == nullptr) std::fprintf(stderr, "hip-on-cpu: %s\n", dlerror());
  unlink(path.c_str());
  return library;
}

const HipOnCpuKernel* entryOf(const HipOnCpuKernel* entries, const std::string& name) {
  for (; entries->name != nullptr; ++entries) {
    if (name == entries->name) return entries;
  }
  return nullptr;
}

hipError_t loadForCpu(Module& module, std::span<const uint8_t> elf) {
  auto kernels = millrace::readKernels(elf);
  if (!kernels) return hipErrorInvalidImage;
  module.library = loadPrivately(elf);
  if (module.library == nullptr) return hipErrorSharedObjectInitFailed;
  auto* entries = static_cast<const HipOnCpuKernel*>(dlsym(module.library, "millrace_kernels"));
  if (entries == nullptr) return hipErrorInvalidImage;
  for (const auto& description : *kernels) {
    Kernel kernel = described(description);
    auto* entry = entryOf(entries, kernel.name);
    if (entry == nullptr || entry->argCount != static_cast<int>(kernel.arguments.size())) return hipErrorInvalidImage;
    kernel.run = entry->run;
    module.kernels.push_back(std::move(kernel));
  }
  return hipSuccess;
}

hipError_t loadForGpu(Module& module, std::span<const uint8_t> elf) {
  auto kernels = millrace::readKernels(elf);
  module.acceptsAnyName = !kernels;
  if (!kernels) return hipSuccess;
  for (const auto& description : *kernels) module.kernels.push_back(described(description));
  return hipSuccess;
}

// The containers in which the compiler puts code for several architectures.
bool isBundle(const void* image) {
  const char* text = static_cast<const char*>(image);
  return std::strncmp(text, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0 || std::strncmp(text, "CCOB", 4) == 0;
}

hipError_t fill(Module& module, const void* image) {
  if (auto size = millrace::elfSize(image)) {
    std::span<const uint8_t> elf(static_cast<const uint8_t*>(image), *size);
    return millrace::isAmdgpuElf(image) ? loadForGpu(module, elf) : loadForCpu(module, elf);
  }
  module.acceptsAnyName = isBundle(image);
  return module.acceptsAnyName ? hipSuccess : hipErrorInvalidImage;
}

hipError_t load(hipModule_t* handle, const void* image) {
  if (handle == nullptr || image == nullptr) return hipErrorInvalidValue;
  auto module = std::make_shared<Module>();
  if (auto failed = fill(*module, image)) return failed;
  auto held = guard();
  *handle = static_cast<hipModule_t>(Runtime::get().modules.add(module));
  return hipSuccess;
}

hipError_t loadFile(hipModule_t* handle, const char* file) {
  if (handle == nullptr || file == nullptr) return hipErrorInvalidValue;
  std::ifstream in(file, std::ios::binary);
  if (!in) return hipErrorFileNotFound;
  std::vector<char> image(std::istreambuf_iterator<char>(in), {});
  image.resize(image.size() + 64);  // so that a short file's headers can be looked for
  return load(handle, image.data());
}

hipError_t unload(hipModule_t handle) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto module = runtime.modules.remove(handle);
  if (module == nullptr) return hipErrorInvalidResourceHandle;
  for (auto* function : module->functionHandles) runtime.kernels.remove(function);
  held.unlock();  // the last owner runs the library's destructors
  return hipSuccess;
}

size_t indexOf(Module& module, const char* name) {
  size_t index = 0;
  while (index < module.kernels.size() && module.kernels[index].name != name) ++index;
  if (index == module.kernels.size() && module.acceptsAnyName) module.kernels.emplace_back().name = name;
  return index;
}

hipError_t findFunction(hipFunction_t* function, hipModule_t handle, const char* name) {
  if (function == nullptr || name == nullptr || *name == '\0') return hipErrorInvalidValue;
  auto held = guard();
  auto& runtime = Runtime::get();
  auto module = runtime.modules.find(handle);
  if (module == nullptr) return hipErrorInvalidResourceHandle;
  size_t index = indexOf(*module, name);
  if (index == module->kernels.size()) return hipErrorNotFound;
  module->functionHandles.resize(module->kernels.size());
  auto& known = module->functionHandles[index];
  if (known == nullptr) known = runtime.kernels.add({module, &module->kernels[index]});
  *function = static_cast<hipFunction_t>(known);
  return hipSuccess;
}

hipError_t attributeOf(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  if (value == nullptr || attribute < 0 || attribute >= HIP_FUNC_ATTRIBUTE_MAX) return hipErrorInvalidValue;
  auto held = guard();
  if (findKernel(function) == nullptr) return hipErrorInvalidDeviceFunction;
  switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = 64 * 1024;
      break;
    default:
      *value = 0;
  }
  return hipSuccess;
}

}  // namespace
}  // namespace hipcpu

using namespace hipcpu;

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return api(__func__, kNoStream, CALLER, [&] { return load(module, image); });
}

hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
  return api(__func__, kNoStream, CALLER, [&] { return loadFile(module, file); });
}

hipError_t hipModuleUnload(hipModule_t module) {
  return api(__func__, kNoStream, CALLER, [&] { return unload(module); });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return api(__func__, kNoStream, CALLER, [&] { return findFunction(function, module, name); });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  return api(__func__, kNoStream, CALLER, [&] { return attributeOf(value, attribute, function); });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function, int blockSize,
                                                              size_t) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (blocks == nullptr || function == nullptr || blockSize <= 0) return hipErrorInvalidValue;
    *blocks = std::max(1, 2048 / blockSize);
    return hipSuccess;
  });
}
