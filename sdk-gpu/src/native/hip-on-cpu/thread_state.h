// What HIP keeps per operating-system thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "hip_abi.h"

namespace hipcpu {

struct Stream;

struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  hipStream_t stream;
};

struct ThreadState {
  int device = 0;
  hipError_t lastError = hipSuccess;
  hipStreamCaptureMode captureMode = hipStreamCaptureModeGlobal;
  std::vector<std::shared_ptr<Stream>> captures;  // begun by this thread, not relaxed; guarded by the runtime's lock
  std::map<int, std::shared_ptr<Stream>> perThreadStreams;  // by device
  std::vector<CallConfiguration> configurations;            // of <<<…>>> launches in compiled code
  ~ThreadState();
};

ThreadState& threadState();

}  // namespace hipcpu
