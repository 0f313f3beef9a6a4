#include <cstring>

#include "check.h"
#include "hipblas_abi.h"
#include "miopen_abi.h"
#include "rocblas_abi.h"

using namespace selftest;

namespace {

struct Streams {
  hipStream_t one, two, gone;

  Streams() {
    OK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&gone, hipStreamNonBlocking));
    OK(hipStreamDestroy(gone));
  }
  ~Streams() {
    OK(hipStreamDestroy(one));
    OK(hipStreamDestroy(two));
  }
};

void testRocblas(const Streams& s) {
  rocblas_handle handle = nullptr;
  hipStream_t stream = s.one;
  OK(rocblas_create_handle(&handle));
  if (handle == nullptr) {
    return;
  }
  OK(rocblas_get_stream(handle, &stream));
  CHECK(stream == nullptr);
  OK(rocblas_set_stream(handle, s.one));
  OK(rocblas_get_stream(handle, &stream));
  CHECK(stream == s.one);
  STATUS(rocblas_set_stream(handle, s.gone), rocblas_status_internal_error);
  OK(rocblas_get_stream(handle, &stream));
  CHECK(stream == s.one);
  OK(rocblas_set_stream(handle, nullptr));
  OK(rocblas_set_atomics_mode(handle, rocblas_atomics_not_allowed));
  rocblas_pointer_mode mode;
  OK(rocblas_set_pointer_mode(handle, rocblas_pointer_mode_device));
  OK(rocblas_get_pointer_mode(handle, &mode));
  CHECK(mode == rocblas_pointer_mode_device);
  STATUS(rocblas_set_workspace(handle, nullptr, 100), rocblas_status_invalid_pointer);
  OK(rocblas_destroy_handle(handle));
  STATUS(rocblas_set_stream(nullptr, s.one), rocblas_status_invalid_handle);
  STATUS(rocblas_destroy_handle(nullptr), rocblas_status_invalid_handle);

  size_t size = 0;
  char text[64];
  OK(rocblas_get_version_string_size(&size));
  OK(rocblas_get_version_string(text, sizeof text));
  CHECK(strlen(text) + 1 == size && strncmp(text, "4.4.0", 5) == 0);
  STATUS(rocblas_get_version_string(text, 2), rocblas_status_invalid_size);
  CHECK(strcmp(rocblas_status_to_string(rocblas_status_invalid_size), "rocblas_status_invalid_size") == 0);
}

void testMiopen(const Streams& s) {
  miopenHandle_t handle;
  hipStream_t stream = s.two;
  OK(miopenCreate(&handle));
  OK(miopenGetStream(handle, &stream));
  CHECK(stream == nullptr);
  OK(miopenSetStream(handle, s.one));
  OK(miopenGetStream(handle, &stream));
  CHECK(stream == s.one);
  STATUS(miopenSetStream(handle, s.gone), miopenStatusUnknownError);
  OK(miopenDestroy(handle));
  OK(miopenCreateWithStream(&handle, s.two));
  OK(miopenGetStream(handle, &stream));
  CHECK(stream == s.two);
  OK(miopenDestroy(handle));
  STATUS(miopenSetStream(nullptr, s.one), miopenStatusBadParm);
  size_t major = 0;
  OK(miopenGetVersion(&major, nullptr, nullptr));
  CHECK(major == 3);
  CHECK(strcmp(miopenGetErrorString(miopenStatusBadParm), "miopenStatusBadParm") == 0);
}

void testHipblas(const Streams& s) {
  hipblasHandle_t handle = nullptr;
  hipStream_t stream = s.two;
  OK(hipblasCreate(&handle));
  if (handle == nullptr) {
    return;
  }
  OK(hipblasGetStream(handle, &stream));
  CHECK(stream == nullptr);
  OK(hipblasSetStream(handle, s.one));
  OK(hipblasGetStream(handle, &stream));
  CHECK(stream == s.one);
  OK(hipblasDestroy(handle));
  STATUS(hipblasSetStream(nullptr, s.one), HIPBLAS_STATUS_NOT_INITIALIZED);
}

}  // namespace

void selftest::testHandles() {
  Streams streams;
  testRocblas(streams);
  testMiopen(streams);
  testHipblas(streams);
}
