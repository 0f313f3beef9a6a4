// MIOpen's C interface as ROCm 6.4 has it: the handle functions, which are all that the SDK calls.
#pragma once

#include <cstddef>

#include "hip_abi.h"

#pragma GCC visibility push(default)
extern "C" {
enum miopenStatus_t : int {
  miopenStatusSuccess = 0,
  miopenStatusNotInitialized = 1,
  miopenStatusInvalidValue = 2,
  miopenStatusBadParm = 3,
  miopenStatusAllocFailed = 4,
  miopenStatusInternalError = 5,
  miopenStatusNotImplemented = 6,
  miopenStatusUnknownError = 7,
  miopenStatusUnsupportedOp = 8,
  miopenStatusGpuOperationsSkipped = 9,
  miopenStatusVersionMismatch = 10
};

typedef struct miopenHandle* miopenHandle_t;
typedef hipStream_t miopenAcceleratorQueue_t;

const char* miopenGetErrorString(miopenStatus_t error);
miopenStatus_t miopenGetVersion(size_t* major, size_t* minor, size_t* patch);
miopenStatus_t miopenCreate(miopenHandle_t* handle);
miopenStatus_t miopenCreateWithStream(miopenHandle_t* handle, miopenAcceleratorQueue_t stream);
miopenStatus_t miopenDestroy(miopenHandle_t handle);
miopenStatus_t miopenSetStream(miopenHandle_t handle, miopenAcceleratorQueue_t streamID);
miopenStatus_t miopenGetStream(miopenHandle_t handle, miopenAcceleratorQueue_t* streamID);
}
#pragma GCC visibility pop
