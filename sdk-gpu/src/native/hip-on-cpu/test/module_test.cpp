#include <dlfcn.h>
#include <elf.h>

#include <cstring>

#include "code_object.h"
#include "code_objects.h"

namespace {

// An ELF file for AMD's GPUs with one note segment.
std::vector<char> gpuCodeObject() {
  auto note = millrace::kernelNote(
      {{"gemm", "gemm.kd", 32, {{0, 8, "global_buffer"}, {8, 4, "by_value"}, {16, 8, "hidden_global_offset_x"}}}});
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 224;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = note.size();
  std::vector<char> file(segment.p_offset + note.size());
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, &segment, sizeof segment);
  std::memcpy(file.data() + segment.p_offset, note.data(), note.size());
  return file;
}

}  // namespace

TEST(readsWhatItWritesAboutKernels) {
  std::vector<millrace::KernelDescription> kernels;
  for (int i = 0; i < 40; ++i) {
    kernels.push_back({std::string(i * 7, 'k'), "s", static_cast<uint32_t>(i * 1000), {}});
    for (int j = 0; j < i; ++j)
      kernels.back().arguments.push_back({uint32_t(j * 8), uint32_t(1) << j % 32, "by_value"});
  }
  auto note = millrace::kernelNote(kernels);
  auto file = gpuCodeObject();
  auto* segment = reinterpret_cast<Elf64_Phdr*>(file.data() + sizeof(Elf64_Ehdr));
  segment->p_filesz = note.size();
  file.resize(segment->p_offset);
  file.insert(file.end(), note.begin(), note.end());
  auto read = millrace::readKernels({reinterpret_cast<uint8_t*>(file.data()), file.size()});
  CHECK(read.has_value());
  CHECK_EQUAL(read->size(), 40);
  for (int i = 0; i < 40; ++i) {
    CHECK((*read)[i].name == kernels[i].name);
    CHECK_EQUAL((*read)[i].argumentBytes, i * 1000);
    CHECK_EQUAL((*read)[i].arguments.size(), i);
    if (i > 0) CHECK_EQUAL((*read)[i].arguments[i - 1].size, uint32_t(1) << (i - 1) % 32);
  }
  for (size_t size = 0; size < file.size(); size += 37) {  // damaged files are refused, not read beyond their end
    std::vector<uint8_t> cut(file.begin(), file.begin() + static_cast<long>(size));
    CHECK(!millrace::readKernels(cut).has_value());
  }
}

TEST(computesWithKernelParameters) {
  TestKernels kernels;
  auto stream = newStream();
  float host[3] = {1, 2, 3}, *a, *b, *out;
  for (float** p : {&a, &b, &out}) OK(hipMalloc(reinterpret_cast<void**>(p), sizeof host));
  OK(hipMemcpyAsync(a, host, sizeof host, hipMemcpyHostToDevice, stream));
  OK(hipMemcpyAsync(b, host, sizeof host, hipMemcpyHostToDevice, stream));
  int n = 3;
  void* parameters[] = {&out, &a, &b, &n};
  OK(hipModuleLaunchKernel(kernels["add"], 2, 1, 1, 2, 1, 1, 0, stream, parameters, nullptr));
  n = 0;  // the values were taken at the launch
  OK(hipMemcpyAsync(host, out, sizeof host, hipMemcpyDeviceToHost, stream));
  CHECK_EQUAL(host[0], 2);
  CHECK_EQUAL(host[2], 6);
  for (float* p : {a, b, out}) OK(hipFree(p));
  OK(hipStreamDestroy(stream));
}

TEST(computesWithAnArgumentBlock) {
  TestKernels kernels;
  DeviceInt out;
  struct {
    signed char value;
    int* pointer;
  } block{-3, out.pointer};
  size_t size = sizeof block;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(kernels["put"], 1, 1, 1, 1, 1, 1, 100, nullptr, nullptr, extra));
  CHECK_EQUAL(out.get(), 97);
  size = 8;
  CHECK_EQUAL(hipModuleLaunchKernel(kernels["put"], 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
              hipErrorInvalidValue);
}

TEST(refusesWrongLaunches) {
  TestKernels kernels;
  auto function = kernels["increment"];
  DeviceInt out;
  void* parameters[] = {&out.pointer};
  void* extra[] = {HIP_LAUNCH_PARAM_END};
  auto launch = [&](hipFunction_t f, unsigned grid, unsigned block, unsigned shared, void** p, void** e) {
    return hipModuleLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, nullptr, p, e);
  };
  CHECK_EQUAL(launch(nullptr, 1, 1, 0, parameters, nullptr), hipErrorInvalidResourceHandle);
  CHECK_EQUAL(launch(function, 0, 1, 0, parameters, nullptr), hipErrorInvalidValue);
  CHECK_EQUAL(launch(function, 1, 0, 0, parameters, nullptr), hipErrorInvalidConfiguration);
  CHECK_EQUAL(launch(function, 1, 1025, 0, parameters, nullptr), hipErrorInvalidValue);
  CHECK_EQUAL(launch(function, 1u << 31, 2, 0, parameters, nullptr), hipErrorInvalidConfiguration);
  CHECK_EQUAL(launch(function, 1, 1, 1 << 20, parameters, nullptr), hipErrorInvalidValue);
  CHECK_EQUAL(launch(function, 1, 1, 0, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQUAL(launch(function, 1, 1, 0, parameters, extra), hipErrorInvalidValue);
  CHECK_EQUAL(out.get(), 0);
  kernels.unload();
  CHECK_EQUAL(launch(function, 1, 1, 0, parameters, nullptr), hipErrorInvalidDeviceFunction);
}

TEST(refusesWhatIsNoCodeObject) {
  hipModule_t module;
  hipFunction_t function;
  CHECK_EQUAL(hipModuleLoadData(&module, "this is no code object at all, is it"), hipErrorInvalidImage);
  CHECK_EQUAL(hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
  CHECK_EQUAL(hipModuleLoad(&module, "/nowhere"), hipErrorFileNotFound);
  auto ownProgram = readFile("/proc/self/exe");
  CHECK_EQUAL(hipModuleLoadData(&module, ownProgram.data()), hipErrorInvalidImage);
  TestKernels kernels;
  CHECK_EQUAL(hipModuleGetFunction(&function, kernels.handle(), "subtract"), hipErrorNotFound);
  CHECK_EQUAL(hipModuleGetFunction(&function, nullptr, "add"), hipErrorInvalidResourceHandle);
  CHECK(kernels["add"] == kernels["add"]);
}

TEST(keepsAModuleLoadedUntilItsLaunchesAreDone) {
  TestKernels kernels;
  auto stream = newStream();
  DeviceInt out;
  Gate gate;
  gate.holdOn(stream);
  launchIncrement(kernels["increment"], stream, out.pointer);
  kernels.unload();
  gate.open();
  OK(hipStreamDestroy(stream));
  CHECK_EQUAL(out.get(), 1);
}

TEST(recordsLaunchesOfGpuCode) {
  hipModule_t module;
  hipFunction_t function;
  auto file = gpuCodeObject();
  OK(hipModuleLoadData(&module, file.data()));
  OK(hipModuleGetFunction(&function, module, "gemm"));
  CHECK_EQUAL(hipModuleGetFunction(&function, module, "gemv"), hipErrorNotFound);
  void* pointer = nullptr;
  int n = 4;
  void* parameters[] = {&pointer, &n};
  auto start = newEvent(hipEventDefault), stop = newEvent(hipEventDefault);
  auto stream = newStream();
  OK(hipExtModuleLaunchKernel(function, 100, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr, start, stop, 0));
  using Launch = hipError_t (*)(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
                                hipStream_t, void**, void**, hipEvent_t, hipEvent_t, uint32_t);
  auto mangled = reinterpret_cast<Launch>(dlsym(
      RTLD_DEFAULT, "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j"));
  CHECK(mangled != nullptr);
  OK(mangled(function, 100, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr, nullptr, nullptr, 0));
  CHECK_EQUAL(hipOnCpuCalls("hipExtModuleLaunchKernel"), 2);
  OK(hipStreamSynchronize(stream));
  float milliseconds;
  OK(hipEventElapsedTime(&milliseconds, start, stop));
  for (auto event : {start, stop}) OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
  OK(hipModuleUnload(module));
  CHECK_EQUAL(hipModuleUnload(module), hipErrorInvalidResourceHandle);
}

TEST(launchesKernelsOfCompiledCode) {
  static int stub, other;
  void** binary = __hipRegisterFatBinary(nullptr);
  __hipRegisterFunction(binary, &stub, nullptr, "compiled", 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  OK(__hipPushCallConfiguration({2, 1, 1}, {3, 1, 1}, 4, hipStreamPerThread));
  dim3 grid, block;
  size_t sharedBytes;
  hipStream_t stream;
  OK(__hipPopCallConfiguration(&grid, &block, &sharedBytes, &stream));
  CHECK_EQUAL(grid.x * 100 + block.x * 10 + sharedBytes, 234);
  OK(hipLaunchKernel(&stub, grid, block, nullptr, sharedBytes, nullptr));
  CHECK_EQUAL(hipLaunchKernel(&other, grid, block, nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
  OK(hipDeviceSynchronize());
  __hipUnregisterFatBinary(binary);
}
