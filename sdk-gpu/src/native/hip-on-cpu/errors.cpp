#include <map>

#include "control.h"

using namespace hipcpu;

namespace {

struct ErrorText {
  const char* name;
  const char* text;
};

#define ERROR(code, text) \
  {                       \
    code, { #code, text } \
  }
const std::map<int, ErrorText>& errors() {
  static const auto* all = new std::map<int, ErrorText>{
      ERROR(hipSuccess, "no error"),
      ERROR(hipErrorInvalidValue, "invalid argument"),
      ERROR(hipErrorOutOfMemory, "out of memory"),
      ERROR(hipErrorNotInitialized, "initialization error"),
      ERROR(hipErrorDeinitialized, "driver shutting down"),
      ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
      ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
      ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
      ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
      ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
      ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
      ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
      ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
      ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
      ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
      ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
      ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
      ERROR(hipErrorInvalidContext, "invalid device context"),
      ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
      ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
      ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
      ERROR(hipErrorFileNotFound, "file not found"),
      ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
      ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
      ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
      ERROR(hipErrorInvalidHandle, "invalid resource handle"),
      ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
      ERROR(hipErrorNotFound, "named symbol not found"),
      ERROR(hipErrorNotReady, "device not ready"),
      ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
      ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
      ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
      ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
      ERROR(hipErrorAssert, "device-side assert triggered"),
      ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
      ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
      ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
      ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
      ERROR(hipErrorNotSupported, "operation not supported"),
      ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
      ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
      ERROR(hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
      ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
      ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
      ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
      ERROR(hipErrorStreamCaptureImplicit,
            "operation would make the legacy stream depend on a capturing blocking stream"),
      ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
      ERROR(hipErrorStreamCaptureWrongThread,
            "attempt to terminate a thread-local capture sequence from another thread"),
      ERROR(hipErrorGraphExecUpdateFailure,
            "the graph update was not performed because it included changes which "
            "violated constraints specific to instantiated graph update"),
      ERROR(hipErrorUnknown, "unknown error"),
      ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
      ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
  };
  return *all;
}
#undef ERROR

const ErrorText& textOf(hipError_t error) {
  auto found = errors().find(error);
  return found == errors().end() ? errors().at(hipErrorUnknown) : found->second;
}

// These answer no status, so no fault can be planned for them.
const char* named(const char* function, void* caller, const char* text) {
  leave(enter(function, kNoStream, caller, false), hipSuccess);
  return text;
}

}  // namespace

const char* hipGetErrorName(hipError_t error) { return named(__func__, CALLER, textOf(error).name); }

const char* hipGetErrorString(hipError_t error) { return named(__func__, CALLER, textOf(error).text); }

// Up to HIP 6.4 this is the status of the last call, whatever it was, and asking sets it back.
hipError_t hipGetLastError(void) {
  Entry entry = enter(__func__, kNoStream, CALLER);
  auto status = entry.planned != 0 ? static_cast<hipError_t>(entry.planned) : threadState().lastError;
  threadState().lastError = hipSuccess;
  leave(entry, status);
  return status;
}

hipError_t hipPeekAtLastError(void) {
  Entry entry = enter(__func__, kNoStream, CALLER);
  auto status = entry.planned != 0 ? static_cast<hipError_t>(entry.planned) : threadState().lastError;
  leave(entry, status);
  return status;
}
