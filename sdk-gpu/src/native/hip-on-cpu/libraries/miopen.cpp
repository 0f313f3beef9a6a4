// The handle functions of libMIOpen. A handle holds a rocBLAS handle, as the real one does.
#include "miopen_abi.h"

#include "LiveHandles.h"
#include "library_call.h"
#include "rocblas_abi.h"

#include <iterator>
#include <new>

namespace {

class MiopenHandle {
public:
  MiopenHandle() = default;
  ~MiopenHandle() {
    if (blas) (void)rocblas_destroy_handle(blas);
  }
  MiopenHandle(const MiopenHandle&) = delete;
  MiopenHandle& operator=(const MiopenHandle&) = delete;

  bool open() {
    return hipGetDevice(&device) == hipSuccess &&
           rocblas_create_handle(&blas) == rocblas_status_success;
  }

  // Its cost is the real one's: the device's properties are read even if the stream stays.
  bool setStream(hipStream_t next) {
    hipDeviceProp_tR0600 properties;
    if (hipGetDevicePropertiesR0600(&properties, device) != hipSuccess) return false;
    if (rocblas_set_stream(blas, next) != rocblas_status_success) return false;
    stream = next;
    return true;
  }

  hipStream_t stream = nullptr;

private:
  int device = 0;
  rocblas_handle blas = nullptr;
};

using Handles = millrace::LiveHandles<miopenHandle_t, MiopenHandle>;

// The real library answers this to whatever HIP answers it.
miopenStatus_t statusOf(bool succeeded) {
  return succeeded ? miopenStatusSuccess : miopenStatusUnknownError;
}

template <class Body> miopenStatus_t withHandle(miopenHandle_t handle, Body body) {
  auto object = Handles::instance().find(handle);
  return object ? body(*object) : miopenStatusBadParm;
}

template <class Prepare> miopenStatus_t create(miopenHandle_t* handle, Prepare prepare) try {
  if (!handle) return miopenStatusBadParm;
  auto object = std::make_shared<MiopenHandle>();
  if (!object->open() || !prepare(*object)) return miopenStatusUnknownError;
  *handle = Handles::instance().add(std::move(object));
  return miopenStatusSuccess;
} catch (const std::bad_alloc&) {
  return miopenStatusAllocFailed;
}

} // namespace

const char* miopenGetErrorString(miopenStatus_t error) {
  static constexpr const char* names[] = {
      "miopenStatusSuccess",          "miopenStatusNotInitialized",
      "miopenStatusInvalidValue",     "miopenStatusBadParm",
      "miopenStatusAllocFailed",      "miopenStatusInternalError",
      "miopenStatusNotImplemented",   "miopenStatusUnknownError",
      "miopenStatusUnsupportedOp",    "miopenStatusGpuOperationsSkipped",
      "miopenStatusVersionMismatch",
  };
  auto index = static_cast<size_t>(error);
  return index < std::size(names) ? names[index] : "Unknown error status";
}

miopenStatus_t miopenGetVersion(size_t* major, size_t* minor, size_t* patch) {
  MILLRACE_LIBRARY_CALL(miopenStatus_t);
  if (major) *major = 3; // of ROCm 6.4; the real one, too, skips what is null
  if (minor) *minor = 4;
  if (patch) *patch = 0;
  return miopenStatusSuccess;
}

miopenStatus_t miopenCreate(miopenHandle_t* handle) {
  MILLRACE_LIBRARY_CALL(miopenStatus_t);
  return create(handle, [](MiopenHandle&) { return true; });
}

miopenStatus_t miopenCreateWithStream(miopenHandle_t* handle, miopenAcceleratorQueue_t stream) {
  MILLRACE_LIBRARY_CALL_ON(miopenStatus_t, stream);
  return create(handle, [&](MiopenHandle& h) { return h.setStream(stream); });
}

miopenStatus_t miopenDestroy(miopenHandle_t handle) {
  MILLRACE_LIBRARY_CALL(miopenStatus_t);
  return Handles::instance().remove(handle) ? miopenStatusSuccess : miopenStatusBadParm;
}

miopenStatus_t miopenSetStream(miopenHandle_t handle, miopenAcceleratorQueue_t streamID) {
  MILLRACE_LIBRARY_CALL_ON(miopenStatus_t, streamID);
  return withHandle(handle, [&](MiopenHandle& h) { return statusOf(h.setStream(streamID)); });
}

miopenStatus_t miopenGetStream(miopenHandle_t handle, miopenAcceleratorQueue_t* streamID) {
  MILLRACE_LIBRARY_CALL(miopenStatus_t);
  return withHandle(handle, [&](MiopenHandle& h) {
    if (!streamID) return miopenStatusBadParm;
    *streamID = h.stream;
    return miopenStatusSuccess;
  });
}
