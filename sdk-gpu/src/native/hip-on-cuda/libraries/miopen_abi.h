// MIOpen 3.4's handle functions.
#pragma once

#include "hip_abi.h"

enum miopenStatus_t {
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

using miopenHandle_t = struct miopenHandle*;

#pragma GCC visibility push(default)
extern "C" {
miopenStatus_t miopenCreate(miopenHandle_t* handle);
miopenStatus_t miopenCreateWithStream(miopenHandle_t* handle, hipStream_t stream);
miopenStatus_t miopenDestroy(miopenHandle_t handle);
miopenStatus_t miopenSetStream(miopenHandle_t handle, hipStream_t stream);
miopenStatus_t miopenGetStream(miopenHandle_t handle, hipStream_t* stream);
miopenStatus_t miopenGetVersion(size_t* major, size_t* minor, size_t* patch);
const char* miopenGetErrorString(miopenStatus_t status);
}
#pragma GCC visibility pop
