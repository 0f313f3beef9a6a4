// HIP's names of its result codes, and a short text for each.
#include <algorithm>
#include <iterator>

#include "error_names.h"
#include "hip_abi.h"

namespace millrace {
namespace {

struct ErrorName {
  int code;
  const char* name;
  const char* text;
};

constexpr ErrorName names[] = {
    {0, "hipSuccess", "no error"},
    {1, "hipErrorInvalidValue", "invalid argument"},
    {2, "hipErrorOutOfMemory", "out of memory"},
    {3, "hipErrorNotInitialized", "initialization error"},
    {4, "hipErrorDeinitialized", "driver shutting down"},
    {5, "hipErrorProfilerDisabled", "profiler disabled"},
    {6, "hipErrorProfilerNotInitialized", "profiler not initialized"},
    {7, "hipErrorProfilerAlreadyStarted", "profiler already started"},
    {8, "hipErrorProfilerAlreadyStopped", "profiler already stopped"},
    {9, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "hipErrorInvalidPitchValue", "invalid pitch value"},
    {13, "hipErrorInvalidSymbol", "invalid symbol"},
    {17, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    {21, "hipErrorInvalidMemcpyDirection", "invalid memcpy direction"},
    {35, "hipErrorInsufficientDriver", "insufficient driver"},
    {52, "hipErrorMissingConfiguration", "missing configuration"},
    {53, "hipErrorPriorLaunchFailure", "prior launch failure"},
    {98, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {100, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {101, "hipErrorInvalidDevice", "invalid device ordinal"},
    {200, "hipErrorInvalidImage", "device kernel image is invalid"},
    {201, "hipErrorInvalidContext", "invalid device context"},
    {202, "hipErrorContextAlreadyCurrent", "context already current"},
    {205, "hipErrorMapFailed", "map failed"},
    {206, "hipErrorUnmapFailed", "unmap failed"},
    {207, "hipErrorArrayIsMapped", "array is mapped"},
    {208, "hipErrorAlreadyMapped", "already mapped"},
    {209, "hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"},
    {210, "hipErrorAlreadyAcquired", "already acquired"},
    {211, "hipErrorNotMapped", "not mapped"},
    {212, "hipErrorNotMappedAsArray", "not mapped as array"},
    {213, "hipErrorNotMappedAsPointer", "not mapped as pointer"},
    {214, "hipErrorECCNotCorrectable", "eccnot correctable"},
    {215, "hipErrorUnsupportedLimit", "unsupported limit"},
    {216, "hipErrorContextAlreadyInUse", "context already in use"},
    {217, "hipErrorPeerAccessUnsupported", "peer access unsupported"},
    {218, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {219, "hipErrorInvalidGraphicsContext", "invalid graphics context"},
    {300, "hipErrorInvalidSource", "invalid source"},
    {301, "hipErrorFileNotFound", "file not found"},
    {302, "hipErrorSharedObjectSymbolNotFound", "shared object symbol not found"},
    {303, "hipErrorSharedObjectInitFailed", "shared object init failed"},
    {304, "hipErrorOperatingSystem", "operating system"},
    {400, "hipErrorInvalidHandle", "invalid resource handle"},
    {401, "hipErrorIllegalState", "illegal state"},
    {500, "hipErrorNotFound", "named symbol not found"},
    {600, "hipErrorNotReady", "device not ready"},
    {700, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "hipErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "hipErrorLaunchTimeOut", "launch time out"},
    {704, "hipErrorPeerAccessAlreadyEnabled", "peer access already enabled"},
    {705, "hipErrorPeerAccessNotEnabled", "peer access not enabled"},
    {708, "hipErrorSetOnActiveProcess", "set on active process"},
    {709, "hipErrorContextIsDestroyed", "context is destroyed"},
    {710, "hipErrorAssert", "assert"},
    {712, "hipErrorHostMemoryAlreadyRegistered", "host memory already registered"},
    {713, "hipErrorHostMemoryNotRegistered", "host memory not registered"},
    {719, "hipErrorLaunchFailure", "unspecified launch failure"},
    {720, "hipErrorCooperativeLaunchTooLarge", "cooperative launch too large"},
    {801, "hipErrorNotSupported", "operation not supported"},
    {900, "hipErrorStreamCaptureUnsupported", "stream capture unsupported"},
    {901, "hipErrorStreamCaptureInvalidated", "stream capture invalidated"},
    {902, "hipErrorStreamCaptureMerge", "stream capture merge"},
    {903, "hipErrorStreamCaptureUnmatched", "stream capture unmatched"},
    {904, "hipErrorStreamCaptureUnjoined", "stream capture unjoined"},
    {905, "hipErrorStreamCaptureIsolation", "stream capture isolation"},
    {906, "hipErrorStreamCaptureImplicit", "stream capture implicit"},
    {907, "hipErrorCapturedEvent", "captured event"},
    {908, "hipErrorStreamCaptureWrongThread", "stream capture wrong thread"},
    {910, "hipErrorGraphExecUpdateFailure", "graph exec update failure"},
    {911, "hipErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {912, "hipErrorInvalidTexture", "invalid texture"},
    {999, "hipErrorUnknown", "unknown error"},
    {1052, "hipErrorRuntimeMemory", "runtime memory"},
    {1053, "hipErrorRuntimeOther", "runtime other"},
};
static_assert(std::is_sorted(std::begin(names), std::end(names), [](auto& a, auto& b) { return a.code < b.code; }));

const ErrorName* find(int code) {
  auto place = std::lower_bound(std::begin(names), std::end(names), code,
                                [](const ErrorName& entry, int wanted) { return entry.code < wanted; });
  return place != std::end(names) && place->code == code ? place : nullptr;
}

}  // namespace

bool isHipError(int code) { return find(code) != nullptr; }

}  // namespace millrace

const char* hipGetErrorName(hipError_t error) {
  auto* entry = millrace::find(error);
  return entry ? entry->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) {
  auto* entry = millrace::find(error);
  return entry ? entry->text : "unknown error";
}
