// Handles of rocBLAS, MIOpen and hipBLAS: their getters, what moving them costs, what fails.
#include "hipblas_abi.h"
#include "miopen_abi.h"
#include "rocblas_abi.h"

#include "check.h"

#include <algorithm>
#include <sstream>

namespace {

/** "function caller;" of each call of HIP since the last reset, in order. */
std::string calls() {
  std::string log(static_cast<size_t>(hipOnCpuLog(nullptr, 0)), '\0');
  hipOnCpuLog(log.data(), static_cast<long>(log.size()));
  std::istringstream lines(log.c_str());
  std::string thread, function, stream, device, status, caller, result;
  while (lines >> thread >> function >> stream >> device >> status >> caller)
    if (function.starts_with("hip") && !function.starts_with("hipblas")) result += function + " " + caller + ";";
  return result;
}

std::string asksAbout(const std::string& library) {
  return "hipStreamIsCapturing " + library + ";hipStreamIsCapturing " + library + ";hipStreamQuery " + library + ";";
}

rocblas_handle newRocblas() {
  rocblas_handle handle = nullptr;
  CHECK_EQUAL(rocblas_create_handle(&handle), rocblas_status_success);
  return handle;
}

miopenHandle_t newMiopen() {
  miopenHandle_t handle = nullptr;
  CHECK_EQUAL(miopenCreate(&handle), miopenStatusSuccess);
  return handle;
}

} // namespace

TEST(freshHandlesAreOnTheNullStream) {
  hipStream_t stream = reinterpret_cast<hipStream_t>(77);
  rocblas_handle blas = newRocblas();
  CHECK_EQUAL(rocblas_get_stream(blas, &stream), rocblas_status_success);
  CHECK(stream == nullptr);
  miopenHandle_t dnn = newMiopen();
  stream = reinterpret_cast<hipStream_t>(77);
  CHECK_EQUAL(miopenGetStream(dnn, &stream), miopenStatusSuccess);
  CHECK(stream == nullptr);
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  CHECK_EQUAL(miopenDestroy(dnn), miopenStatusSuccess);
}

TEST(movingARocblasHandleAsksAboutBothStreams) {
  rocblas_handle blas = newRocblas();
  hipStream_t stream = newStream(), seen;
  hipOnCpuReset();
  CHECK_EQUAL(rocblas_set_stream(blas, stream), rocblas_status_success);
  CHECK(calls() == asksAbout("librocblas.so.4"));
  hipOnCpuReset();
  CHECK_EQUAL(rocblas_set_stream(blas, stream), rocblas_status_success);
  CHECK(calls() == "");
  CHECK_EQUAL(rocblas_get_stream(blas, &seen), rocblas_status_success);
  CHECK(seen == stream);
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  OK(hipStreamDestroy(stream));
}

TEST(bindingRocblasAndMiopenAndBackIsFourteenCalls) {
  rocblas_handle blas = newRocblas();
  miopenHandle_t dnn = newMiopen();
  hipStream_t stream = newStream();
  hipOnCpuReset();
  for (hipStream_t next : {stream, hipStream_t(nullptr)}) {
    CHECK_EQUAL(rocblas_set_stream(blas, next), rocblas_status_success);
    CHECK_EQUAL(miopenSetStream(dnn, next), miopenStatusSuccess);
  }
  std::string all = calls();
  CHECK_EQUAL(std::count(all.begin(), all.end(), ';'), 14);
  hipOnCpuReset();
  CHECK_EQUAL(miopenSetStream(dnn, nullptr), miopenStatusSuccess);
  CHECK(calls() == "hipGetDevicePropertiesR0600 libMIOpen.so.1;");
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  CHECK_EQUAL(miopenDestroy(dnn), miopenStatusSuccess);
  OK(hipStreamDestroy(stream));
}

TEST(aHandleThatCannotBeMovedStaysWhereItWas) {
  rocblas_handle blas = newRocblas();
  miopenHandle_t dnn = newMiopen();
  hipStream_t stream = newStream(), seen = stream;
  for (const char* call : {"hipStreamIsCapturing", "hipStreamQuery"})
    for (long nth : {1, 2}) {
      if (nth == 2 && std::string(call) == "hipStreamQuery") continue;
      hipOnCpuReset();
      hipOnCpuFail(call, nth, hipErrorUnknown);
      CHECK_EQUAL(rocblas_set_stream(blas, stream), rocblas_status_internal_error);
      CHECK_EQUAL(rocblas_get_stream(blas, &seen), rocblas_status_success);
      CHECK(seen == nullptr);
      hipOnCpuReset();
      hipOnCpuFail(call, nth, hipErrorUnknown);
      CHECK_EQUAL(miopenSetStream(dnn, stream), miopenStatusUnknownError);
      CHECK_EQUAL(miopenGetStream(dnn, &seen), miopenStatusSuccess);
      CHECK(seen == nullptr);
    }
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  CHECK_EQUAL(miopenDestroy(dnn), miopenStatusSuccess);
  OK(hipStreamDestroy(stream));
}

TEST(aCapturingStreamIsNotQueried) {
  rocblas_handle blas = newRocblas();
  hipStream_t stream = newStream();
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  hipOnCpuReset();
  CHECK_EQUAL(rocblas_set_stream(blas, stream), rocblas_status_success);
  CHECK_EQUAL(hipOnCpuCalls("hipStreamQuery"), 0);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphDestroy(graph));
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  OK(hipStreamDestroy(stream));
}

TEST(hipblasHandlesAreRocblasHandles) {
  hipblasHandle_t handle;
  hipStream_t stream = newStream(), seen = nullptr;
  CHECK_EQUAL(hipblasCreate(nullptr), HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
  CHECK_EQUAL(hipblasCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  hipOnCpuReset();
  CHECK_EQUAL(hipblasSetStream(handle, stream), HIPBLAS_STATUS_SUCCESS);
  CHECK(calls() == asksAbout("librocblas.so.4"));
  CHECK_EQUAL(hipblasGetStream(handle, &seen), HIPBLAS_STATUS_SUCCESS);
  CHECK(seen == stream);
  CHECK_EQUAL(hipblasDestroy(handle), HIPBLAS_STATUS_SUCCESS);
  CHECK_EQUAL(hipblasDestroy(handle), HIPBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQUAL(hipblasSetStream(handle, stream), HIPBLAS_STATUS_NOT_INITIALIZED);
  OK(hipStreamDestroy(stream));
}

TEST(destroyedHandlesAreRefused) {
  rocblas_handle blas = newRocblas();
  miopenHandle_t dnn = newMiopen();
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  CHECK_EQUAL(miopenDestroy(dnn), miopenStatusSuccess);
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_invalid_handle);
  CHECK_EQUAL(rocblas_set_stream(blas, nullptr), rocblas_status_invalid_handle);
  CHECK_EQUAL(miopenSetStream(dnn, nullptr), miopenStatusBadParm);
  CHECK_EQUAL(miopenDestroy(nullptr), miopenStatusBadParm);
}

TEST(withoutADeviceNoHandleIsMade) {
  hipOnCpuDevices(0);
  rocblas_handle blas;
  miopenHandle_t dnn;
  hipblasHandle_t either;
  int statuses[] = {rocblas_create_handle(&blas), miopenCreate(&dnn), hipblasCreate(&either)};
  hipOnCpuDevices(2);
  CHECK_EQUAL(statuses[0], rocblas_status_internal_error);
  CHECK_EQUAL(statuses[1], miopenStatusUnknownError);
  CHECK_EQUAL(statuses[2], HIPBLAS_STATUS_INTERNAL_ERROR);
}

TEST(aHandleHalfMadeLeavesNothingBehind) {
  for (const char* call : {"hipMalloc", "hipModuleLoadData", "hipModuleGetFunction"}) {
    hipOnCpuFail(call, 1, hipErrorOutOfMemory);
    rocblas_handle blas;
    CHECK_EQUAL(rocblas_create_handle(&blas), rocblas_status_memory_error);
    CHECK_EQUAL(live("bytes"), 0);
    CHECK_EQUAL(live("modules"), 0);
  }
}

TEST(aCallersWorkspaceReplacesTheHandlesOwn) {
  rocblas_handle blas = newRocblas();
  CHECK_EQUAL(live("bytes"), 32 << 20);
  void* memory;
  OK(hipMalloc(&memory, 4096));
  CHECK_EQUAL(rocblas_set_workspace(blas, memory, 4096), rocblas_status_success);
  CHECK_EQUAL(live("bytes"), 4096);
  CHECK_EQUAL(rocblas_set_workspace(blas, nullptr, 0), rocblas_status_success);
  CHECK_EQUAL(live("bytes"), 4096 + (32 << 20));
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
  OK(hipFree(memory));
}

TEST(plannedFailuresOfTheLibrariesStrike) {
  rocblas_handle blas = newRocblas();
  hipOnCpuFail("rocblas_set_stream", 1, rocblas_status_internal_error);
  CHECK_EQUAL(rocblas_set_stream(blas, nullptr), rocblas_status_internal_error);
  hipOnCpuFail("miopenCreate", 1, miopenStatusInternalError);
  miopenHandle_t dnn;
  CHECK_EQUAL(miopenCreate(&dnn), miopenStatusInternalError);
  CHECK_EQUAL(rocblas_destroy_handle(blas), rocblas_status_success);
}

TEST(versionsAndTexts) {
  size_t length, major, minor, patch;
  CHECK_EQUAL(rocblas_get_version_string_size(&length), rocblas_status_success);
  std::string version(length, '\0');
  CHECK_EQUAL(rocblas_get_version_string(version.data(), length - 1), rocblas_status_invalid_size);
  CHECK_EQUAL(rocblas_get_version_string(version.data(), length), rocblas_status_success);
  CHECK(version.starts_with("4.4.1"));
  CHECK(std::string(rocblas_status_to_string(rocblas_status_invalid_size)) == "rocblas_status_invalid_size");
  CHECK_EQUAL(miopenGetVersion(&major, &minor, &patch), miopenStatusSuccess);
  CHECK_EQUAL(major * 100 + minor, 304);
  CHECK(std::string(miopenGetErrorString(miopenStatusBadParm)) == "miopenStatusBadParm");
}
