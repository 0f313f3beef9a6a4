#pragma once

#include "driver.h"

namespace millrace {

// A device attribute by HIP's number; hipErrorInvalidValue for one that CUDA has no counterpart of.
hipError_t attributeOf(CUdevice device, hipDeviceAttribute_t attribute, int* value);

}  // namespace millrace
