// The `extra` list of a launch ends with another marker in CUDA than in HIP, so it is written anew.
#pragma once

#include "driver.h"

namespace millrace {

class LaunchExtra {
 public:
  explicit LaunchExtra(void** hip) {
    for (; hip != nullptr && *hip != HIP_LAUNCH_PARAM_END && count < 4; hip += 2) {
      cuda[count++] = *hip == HIP_LAUNCH_PARAM_BUFFER_POINTER ? CU_LAUNCH_PARAM_BUFFER_POINTER
                                                              : CU_LAUNCH_PARAM_BUFFER_SIZE;
      cuda[count++] = hip[1];
    }
    cuda[count] = CU_LAUNCH_PARAM_END;
  }

  void** list() { return count == 0 ? nullptr : cuda; }

 private:
  void* cuda[5];
  int count = 0;
};

}  // namespace millrace
