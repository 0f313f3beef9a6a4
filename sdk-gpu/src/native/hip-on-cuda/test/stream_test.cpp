#include <atomic>
#include <vector>

#include "check.h"

using namespace selftest;

namespace {

void answer(void* flag) { static_cast<std::atomic<int>*>(flag)->store(1); }

void testDestroyed(hipStream_t gone, hipEvent_t event) {
  hipStreamCaptureStatus capturing;
  hipDevice_t device;
  STATUS(hipStreamQuery(gone), hipErrorContextIsDestroyed);
  STATUS(hipStreamSynchronize(gone), hipErrorContextIsDestroyed);
  STATUS(hipStreamIsCapturing(gone, &capturing), hipErrorContextIsDestroyed);
  STATUS(hipStreamGetDevice(gone, &device), hipErrorContextIsDestroyed);
  STATUS(hipEventRecord(event, gone), hipErrorContextIsDestroyed);
  STATUS(hipStreamWaitEvent(gone, event, 0), hipErrorContextIsDestroyed);
  STATUS(spin(0, gone), hipErrorContextIsDestroyed);
  STATUS(hipStreamDestroy(gone), hipErrorContextIsDestroyed);
}

void testPriorities() {
  int least = 0;
  int greatest = 0;
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 1 && greatest == -1);
  for (int wanted : {1, 0, -1}) {
    hipStream_t stream;
    int priority = 9;
    OK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, wanted));
    OK(hipStreamGetPriority(stream, &priority));
    CHECK(priority == wanted);
    OK(hipStreamDestroy(stream));
  }
}

// More streams than the table may come and go; those alive stay known.
void testManyStreams() {
  std::vector<hipStream_t> streams(200);
  for (int round = 0; round < 10; round++) {
    for (auto& stream : streams) {
      if (hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) != hipSuccess) {
        return note(false, "hipStreamCreateWithFlags", __FILE__, __LINE__);
      }
    }
    bool alive = true;
    for (auto stream : streams) {
      alive = alive && hipStreamQuery(stream) == hipSuccess;
    }
    CHECK(alive);
    for (auto stream : streams) {
      alive = alive && hipStreamDestroy(stream) == hipSuccess && hipStreamQuery(stream) == hipErrorContextIsDestroyed;
    }
    CHECK(alive);
  }
}

}  // namespace

void selftest::testStreams() {
  hipStream_t stream;
  hipEvent_t event;
  STATUS(hipStreamCreateWithFlags(&stream, 7), hipErrorInvalidValue);
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  unsigned flags = 9;
  OK(hipStreamGetFlags(stream, &flags));
  CHECK(flags == hipStreamNonBlocking);
  hipDevice_t device = -1;
  OK(hipStreamGetDevice(stream, &device));
  CHECK(device == 0);
  OK(hipStreamGetDevice(nullptr, &device));
  uint32_t mask = 1;
  hipStream_t masked;
  STATUS(hipExtStreamCreateWithCUMask(&masked, 1, &mask), hipErrorNotSupported);

  std::atomic<int> flag{0};
  OK(spin(2000000, stream));
  OK(hipLaunchHostFunc(stream, answer, &flag));
  STATUS(hipStreamQuery(stream), hipErrorNotReady);
  CHECK(flag == 0);
  OK(hipStreamSynchronize(stream));
  OK(hipStreamQuery(stream));
  CHECK(flag == 1);
  OK(hipStreamQuery(nullptr));
  OK(hipStreamSynchronize(hipStreamLegacy));

  // Destroying waits for the work.
  OK(spin(3000000, stream));
  OK(hipEventRecord(event, stream));
  STATUS(hipEventQuery(event), hipErrorNotReady);
  OK(hipStreamDestroy(stream));
  OK(hipEventQuery(event));
  testDestroyed(stream, event);
  STATUS(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  OK(hipEventDestroy(event));
  testPriorities();
  testManyStreams();
}

void selftest::testEvents() {
  hipStream_t a, b;
  hipEvent_t start, stop, untimed;
  OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  OK(hipEventCreateWithFlags(&start, hipEventDefault));
  OK(hipEventCreate(&stop));
  OK(hipEventCreateWithFlags(&untimed, hipEventDisableTiming | hipEventReleaseToDevice));
  STATUS(hipEventCreateWithFlags(&untimed, hipEventReleaseToDevice | hipEventReleaseToSystem), hipErrorInvalidValue);
  STATUS(hipEventCreateWithFlags(&untimed, 64), hipErrorInvalidValue);
  OK(hipEventQuery(untimed));
  OK(hipEventSynchronize(untimed));

  OK(hipEventRecord(start, a));
  OK(spin(1000000, a));
  OK(hipEventRecordWithFlags(stop, a, hipEventRecordDefault));
  STATUS(hipEventQuery(stop), hipErrorNotReady);
  OK(hipStreamWaitEvent(b, stop, 0));
  OK(hipEventRecord(untimed, b));
  STATUS(hipEventQuery(untimed), hipErrorNotReady);
  OK(hipEventSynchronize(untimed));
  OK(hipEventQuery(stop));
  float milliseconds = 0;
  OK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds > 0.9f && milliseconds < 50);
  CHECK(hipEventElapsedTime(&milliseconds, start, untimed) != hipSuccess);
  STATUS(hipEventRecord(nullptr, a), hipErrorInvalidHandle);
  STATUS(hipStreamWaitEvent(a, nullptr, 0), hipErrorInvalidHandle);
  STATUS(hipEventQuery(nullptr), hipErrorInvalidHandle);
  STATUS(hipEventRecordWithFlags(stop, a, 9), hipErrorInvalidValue);
  for (auto event : {start, stop, untimed}) {
    OK(hipEventDestroy(event));
  }
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
}
