// Code objects for tests.
#pragma once

#include <fstream>
#include <iterator>

#include "check.h"

inline std::vector<char> readFile(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
  CHECK(!bytes.empty());
  return bytes;
}

// The test's kernels, loaded for as long as this lives.
class TestKernels {
 public:
  TestKernels() {
    auto image = readFile(TEST_KERNELS);
    OK(hipModuleLoadData(&module_, image.data()));
  }
  ~TestKernels() { unload(); }
  hipFunction_t operator[](const char* name) const {
    hipFunction_t function = nullptr;
    OK(hipModuleGetFunction(&function, module_, name));
    return function;
  }
  void unload() {
    if (module_ != nullptr) static_cast<void>(hipModuleUnload(module_));
    module_ = nullptr;
  }
  hipModule_t handle() const { return module_; }

 private:
  hipModule_t module_ = nullptr;
};

// An int in device memory, read and written by copies that wait.
class DeviceInt {
 public:
  explicit DeviceInt(int value = 0) {
    void* memory = nullptr;
    OK(hipMalloc(&memory, sizeof(int)));
    pointer = static_cast<int*>(memory);
    OK(hipMemcpy(pointer, &value, sizeof value, hipMemcpyHostToDevice));
  }
  ~DeviceInt() { static_cast<void>(hipFree(pointer)); }
  int get() const {
    int value;
    OK(hipMemcpy(&value, pointer, sizeof value, hipMemcpyDeviceToHost));
    return value;
  }
  int* pointer;
};

inline void launchIncrement(hipFunction_t function, hipStream_t stream, int* pointer) {
  void* parameters[] = {&pointer};
  OK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}
