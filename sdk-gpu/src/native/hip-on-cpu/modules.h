// Loaded code objects and their kernels.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "code_object.h"
#include "hip_abi.h"
#include "hip_on_cpu.h"

namespace hipcpu {

struct Kernel {
  std::string name;
  // Code for AMD's GPUs, and kernels compiled into AMD's own libraries, have none: their launches are recorded only.
  decltype(HipOnCpuKernel::run) run = nullptr;
  // The arguments that the caller passes. Kernels compiled into a library do not say theirs.
  bool describesArguments = false;
  uint32_t argumentBytes = 0;
  std::vector<millrace::KernelArgument> arguments;
};

struct Module {
  void* library = nullptr;
  std::deque<Kernel> kernels;          // pointers to them stay good while it grows
  std::vector<void*> functionHandles;  // of the kernels given out, by index; they die with the module's handle
  bool acceptsAnyName = false;         // a bundle whose kernels cannot be listed
  Module() = default;
  Module(const Module&) = delete;
  ~Module();
};

struct KernelLaunch {
  std::shared_ptr<const Kernel> kernel;  // keeps its module loaded
  const void* function = nullptr;        // as the caller named it
  dim3 grid, block;
  unsigned sharedBytes = 0;
  std::vector<unsigned char> arguments;  // a copy of the values, at the kernel's own offsets

  std::vector<void*> argumentPointers() const;
  void run() const;
};

// The kernel that a hipFunction_t, or the address of a kernel's stub in compiled code, stands for.
std::shared_ptr<const Kernel> findKernel(const void* function);

// hipErrorInvalidValue and the like if the numbers or the arguments do not fit the kernel.
hipError_t prepare(KernelLaunch& launch, const void* function, dim3 grid, dim3 block, unsigned sharedBytes,
                   void** parameters, void** extra);

}  // namespace hipcpu
