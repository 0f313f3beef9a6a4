// MIOpen's handles: they remember their stream, and nothing else of MIOpen exists here.
#include <new>
#include <utility>

#include "hip_on_cpu.h"
#include "miopen_abi.h"

struct miopenHandle {
  hipStream_t stream;
};

namespace {

const hipStream_t noStream = reinterpret_cast<hipStream_t>(-1);  // for the log

template <class Body>
[[gnu::always_inline]] inline miopenStatus_t call(const char* function, hipStream_t stream, Body body) {
  if (int planned = hipOnCpuEnter(function, stream, __builtin_return_address(0))) {
    return static_cast<miopenStatus_t>(planned);
  }
  return body();
}

// MIOpen looks at the stream's device; a destroyed stream is refused there.
bool usable(hipStream_t stream) {
  hipStreamCaptureStatus capturing;
  return hipStreamIsCapturing(stream, &capturing) == hipSuccess;
}

miopenStatus_t create(miopenHandle_t* handle, hipStream_t stream) {
  int device;
  if (handle == nullptr) {
    return miopenStatusBadParm;
  }
  if (hipGetDevice(&device) != hipSuccess || !usable(stream)) {
    return miopenStatusUnknownError;
  }
  *handle = new (std::nothrow) miopenHandle{stream};
  return *handle == nullptr ? miopenStatusAllocFailed : miopenStatusSuccess;
}

}  // namespace

miopenStatus_t miopenCreate(miopenHandle_t* handle) {
  return call("miopenCreate", noStream, [&] { return create(handle, nullptr); });
}

miopenStatus_t miopenCreateWithStream(miopenHandle_t* handle, hipStream_t stream) {
  return call("miopenCreateWithStream", stream, [&] { return create(handle, stream); });
}

miopenStatus_t miopenDestroy(miopenHandle_t handle) {
  return call("miopenDestroy", noStream, [&]() -> miopenStatus_t {
    if (handle == nullptr) {
      return miopenStatusBadParm;
    }
    delete handle;
    return miopenStatusSuccess;
  });
}

miopenStatus_t miopenSetStream(miopenHandle_t handle, hipStream_t stream) {
  return call("miopenSetStream", stream, [&]() -> miopenStatus_t {
    if (handle == nullptr) {
      return miopenStatusBadParm;
    }
    if (!usable(stream)) {
      return miopenStatusUnknownError;
    }
    handle->stream = stream;
    return miopenStatusSuccess;
  });
}

miopenStatus_t miopenGetStream(miopenHandle_t handle, hipStream_t* stream) {
  return call("miopenGetStream", noStream, [&]() -> miopenStatus_t {
    if (handle == nullptr || stream == nullptr) {
      return miopenStatusBadParm;
    }
    *stream = handle->stream;
    return miopenStatusSuccess;
  });
}

miopenStatus_t miopenGetVersion(size_t* major, size_t* minor, size_t* patch) {
  return call("miopenGetVersion", noStream, [&]() -> miopenStatus_t {
    for (auto [out, value] : {std::pair{major, 3u}, {minor, 4u}, {patch, 0u}}) {
      if (out != nullptr) {
        *out = value;
      }
    }
    return miopenStatusSuccess;
  });
}

const char* miopenGetErrorString(miopenStatus_t status) {
  static const char* const names[] = {"miopenStatusSuccess",        "miopenStatusNotInitialized",
                                      "miopenStatusInvalidValue",   "miopenStatusBadParm",
                                      "miopenStatusAllocFailed",    "miopenStatusInternalError",
                                      "miopenStatusNotImplemented", "miopenStatusUnknownError",
                                      "miopenStatusUnsupportedOp",  "miopenStatusGpuOperationsSkipped",
                                      "miopenStatusVersionMismatch"};
  return status >= 0 && status <= miopenStatusVersionMismatch ? names[status] : "Unknown error";
}
