// What belongs to the calling thread in HIP: its current device and its last status. A CUDA context is made current the
// first time that a thread calls; afterwards a call costs one look at a thread-local flag.
#pragma once

#include "driver.h"

namespace millrace {

struct ThreadState {
  int device = 0;
  bool attached = false;
  hipError_t last = hipSuccess;
};

extern thread_local constinit ThreadState self __attribute__((tls_model("initial-exec")));

hipError_t attachSlowly();

// The thread has the context of its current device.
inline hipError_t attach() {
  return __builtin_expect(self.attached, true) ? hipSuccess : attachSlowly();
}

hipError_t selectDevice(int device);
hipError_t countDevices(int* count);

// The primary context of a device, which cuBLAS uses too; retained until the process ends.
hipError_t contextOf(int device, CUcontext* context);

}  // namespace millrace
