#include <algorithm>
#include <thread>

#include "check.h"

TEST(runsAStreamsWorkInOrder) {
  auto stream = newStream();
  std::vector<int> list;
  std::vector<Note> notes;
  for (int i = 0; i < 100; ++i) notes.push_back({&list, i});
  for (auto& note : notes) OK(hipLaunchHostFunc(stream, append, &note));
  OK(hipStreamSynchronize(stream));
  CHECK_EQUAL(list.size(), 100);
  CHECK(std::is_sorted(list.begin(), list.end()));
  OK(hipStreamDestroy(stream));
}

TEST(runsStreamsBesideEachOther) {
  auto held = newStream(), free = newStream();
  Gate gate;
  gate.holdOn(held);
  std::vector<int> list;
  Note note{&list, 1};
  OK(hipLaunchHostFunc(free, append, &note));
  OK(hipStreamSynchronize(free));
  CHECK_EQUAL(list.size(), 1);
  CHECK_EQUAL(hipStreamQuery(held), hipErrorNotReady);
  gate.open();
  OK(hipStreamSynchronize(held));
  OK(hipStreamQuery(held));
  OK(hipStreamDestroy(held));
  OK(hipStreamDestroy(free));
}

TEST(destroyingAStreamWaitsForItsWork) {
  auto stream = newStream();
  std::vector<int> list;
  Note note{&list, 1};
  for (int i = 0; i < 1000; ++i) OK(hipLaunchHostFunc(stream, append, &note));
  OK(hipStreamDestroy(stream));
  CHECK_EQUAL(list.size(), 1000);
}

TEST(answersForADestroyedStream) {
  auto stream = newStream(), next = hipStream_t{};
  auto event = newEvent();
  OK(hipStreamDestroy(stream));
  next = newStream();
  CHECK(next != stream);
  unsigned flags;
  int number;
  hipStreamCaptureStatus status;
  hipGraph_t graph;
  CHECK_EQUAL(hipStreamDestroy(stream), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamQuery(stream), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamGetFlags(stream, &flags), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamGetPriority(stream, &number), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamGetDevice(stream, &number), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamIsCapturing(stream, &status), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamEndCapture(stream, &graph), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipEventRecord(event, stream), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamWaitEvent(stream, event, 0), hipErrorInvalidHandle);
  CHECK_EQUAL(hipLaunchHostFunc(stream, append, nullptr), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipMemsetAsync(nullptr, 0, 0, stream), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipStreamQuery(reinterpret_cast<hipStream_t>(0x1234567)), hipErrorContextIsDestroyed);
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(next));
}

TEST(remembersFlagsPriorityAndDevice) {
  hipStream_t stream;
  OK(hipSetDevice(1));
  OK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -7));
  OK(hipSetDevice(0));
  int least, greatest, priority, device;
  unsigned flags;
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK_EQUAL(least, 1);
  CHECK_EQUAL(greatest, -1);
  OK(hipStreamGetPriority(stream, &priority));
  CHECK_EQUAL(priority, -1);
  OK(hipStreamGetFlags(stream, &flags));
  CHECK_EQUAL(flags, hipStreamNonBlocking);
  OK(hipStreamGetDevice(stream, &device));
  CHECK_EQUAL(device, 1);
  OK(hipStreamGetDevice(nullptr, &device));
  CHECK_EQUAL(device, 0);
  OK(hipStreamDestroy(stream));
  const uint32_t mask[] = {3};
  OK(hipExtStreamCreateWithCUMask(&stream, 1, mask));
  OK(hipStreamGetFlags(stream, &flags));
  CHECK_EQUAL(flags, hipStreamDefault);
  OK(hipStreamDestroy(stream));
  CHECK_EQUAL(hipStreamCreateWithFlags(&stream, 7), hipErrorInvalidValue);
}

TEST(nullStreamWaitsForBlockingStreamsOnly) {
  auto blocking = newStream(hipStreamDefault), other = newStream(hipStreamNonBlocking);
  Gate gateOfBlocking, gateOfOther;
  gateOfBlocking.holdOn(blocking);
  gateOfOther.holdOn(other);
  std::vector<int> list;
  Note note{&list, 1};
  OK(hipLaunchHostFunc(nullptr, append, &note));
  CHECK_EQUAL(hipStreamQuery(nullptr), hipErrorNotReady);
  gateOfBlocking.open();
  OK(hipStreamSynchronize(nullptr));
  CHECK_EQUAL(list.size(), 1);
  CHECK_EQUAL(hipStreamQuery(other), hipErrorNotReady);
  gateOfOther.open();
  OK(hipStreamDestroy(blocking));
  OK(hipStreamDestroy(other));
}

TEST(synchronisingTheNullStreamWaitsForBlockingStreams) {
  auto blocking = newStream(hipStreamDefault);
  std::vector<int> list;
  Note note{&list, 1};
  for (int i = 0; i < 100; ++i) OK(hipLaunchHostFunc(blocking, append, &note));
  OK(hipStreamSynchronize(hipStreamLegacy));
  CHECK_EQUAL(list.size(), 100);
  OK(hipStreamDestroy(blocking));
}

TEST(blockingStreamsWaitForTheNullStream) {
  auto blocking = newStream(hipStreamDefault), other = newStream(hipStreamNonBlocking);
  Gate gate;
  gate.holdOn(nullptr);
  std::vector<int> first, second;
  Note one{&first, 1}, two{&second, 2};
  OK(hipLaunchHostFunc(blocking, append, &one));
  OK(hipLaunchHostFunc(other, append, &two));
  OK(hipStreamSynchronize(other));
  CHECK_EQUAL(second.size(), 1);
  CHECK_EQUAL(hipStreamQuery(blocking), hipErrorNotReady);
  gate.open();
  OK(hipStreamSynchronize(blocking));
  CHECK_EQUAL(first.size(), 1);
  OK(hipStreamDestroy(blocking));
  OK(hipStreamDestroy(other));
}

TEST(eachDeviceHasANullStreamOfItsOwn) {
  Gate gate;
  gate.holdOn(nullptr);
  OK(hipSetDevice(1));
  OK(hipStreamSynchronize(nullptr));
  OK(hipSetDevice(0));
  CHECK_EQUAL(hipStreamQuery(nullptr), hipErrorNotReady);
  gate.open();
  OK(hipDeviceSynchronize());
  OK(hipStreamQuery(nullptr));
}

TEST(perThreadStreamIsTheThreadsOwn) {
  Gate gate;
  gate.holdOn(hipStreamPerThread);
  std::thread([] { CHECK_EQUAL(hipStreamQuery(hipStreamPerThread), hipSuccess); }).join();
  CHECK_EQUAL(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
  gate.open();
  OK(hipStreamSynchronize(hipStreamPerThread));
  CHECK_EQUAL(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidResourceHandle);
}

TEST(unrecordedEventIsDoneAndWaitedForByNobody) {
  auto event = newEvent();
  auto stream = newStream();
  OK(hipEventQuery(event));
  OK(hipEventSynchronize(event));
  OK(hipStreamWaitEvent(stream, event, 0));
  OK(hipStreamQuery(stream));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
}

TEST(waitTakesTheRecordThatIsLatestNow) {
  auto first = newStream(), second = newStream(), waiting = newStream();
  auto event = newEvent();
  Gate firstGate, secondGate;
  firstGate.holdOn(first);
  secondGate.holdOn(second);
  OK(hipEventRecord(event, first));
  OK(hipStreamWaitEvent(waiting, event, 0));
  OK(hipEventRecord(event, second));  // the wait above is not moved by it
  CHECK_EQUAL(hipStreamQuery(waiting), hipErrorNotReady);
  firstGate.open();
  OK(hipStreamSynchronize(waiting));
  CHECK_EQUAL(hipEventQuery(event), hipErrorNotReady);
  OK(hipStreamWaitEvent(waiting, event, 0));
  CHECK_EQUAL(hipStreamQuery(waiting), hipErrorNotReady);
  secondGate.open();
  OK(hipEventSynchronize(event));
  OK(hipStreamSynchronize(waiting));
  for (auto stream : {first, second, waiting}) OK(hipStreamDestroy(stream));
  OK(hipEventDestroy(event));
}

TEST(eventOfADestroyedStreamIsDone) {
  auto stream = newStream(), waiting = newStream();
  auto event = newEvent();
  OK(hipEventRecord(event, stream));
  OK(hipStreamDestroy(stream));
  OK(hipEventQuery(event));
  OK(hipEventSynchronize(event));
  OK(hipStreamWaitEvent(waiting, event, 0));
  OK(hipStreamQuery(waiting));
  OK(hipStreamDestroy(waiting));
  OK(hipEventDestroy(event));
}

TEST(measuresTimeBetweenEvents) {
  auto start = newEvent(hipEventDefault), stop = newEvent(hipEventDefault), untimed = newEvent();
  auto stream = newStream();
  float milliseconds = -1;
  CHECK_EQUAL(hipEventElapsedTime(&milliseconds, start, stop), hipErrorInvalidHandle);
  Gate gate;
  OK(hipEventRecord(start, stream));
  gate.holdOn(stream);
  OK(hipEventRecord(stop, stream));
  CHECK_EQUAL(hipEventElapsedTime(&milliseconds, start, stop), hipErrorNotReady);
  gate.open();
  OK(hipEventSynchronize(stop));
  OK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0);
  OK(hipEventRecord(untimed, stream));
  OK(hipEventSynchronize(untimed));
  CHECK_EQUAL(hipEventElapsedTime(&milliseconds, start, untimed), hipErrorInvalidHandle);
  for (auto event : {start, stop, untimed}) OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
}

TEST(refusesWrongEvents) {
  hipEvent_t event;
  CHECK_EQUAL(hipEventCreateWithFlags(&event, hipEventInterprocess), hipErrorInvalidValue);
  CHECK_EQUAL(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem), hipErrorInvalidValue);
  event = newEvent(hipEventDisableTiming | hipEventReleaseToDevice);
  OK(hipSetDevice(1));
  auto elsewhere = newStream();
  OK(hipSetDevice(0));
  CHECK_EQUAL(hipEventRecord(event, elsewhere), hipErrorInvalidHandle);
  OK(hipStreamWaitEvent(elsewhere, event, 0));
  OK(hipEventDestroy(event));
  CHECK_EQUAL(hipEventDestroy(event), hipErrorContextIsDestroyed);
  CHECK_EQUAL(hipEventQuery(event), hipErrorInvalidHandle);
  CHECK_EQUAL(hipEventRecord(nullptr, elsewhere), hipErrorInvalidHandle);
  OK(hipStreamDestroy(elsewhere));
}

TEST(waitsAcrossDevices) {
  auto here = newStream();
  auto event = newEvent();
  OK(hipSetDevice(1));
  auto there = newStream();
  Gate gate;
  gate.holdOn(here);
  OK(hipEventRecord(event, here));
  OK(hipStreamWaitEvent(there, event, 0));
  CHECK_EQUAL(hipStreamQuery(there), hipErrorNotReady);
  gate.open();
  OK(hipStreamSynchronize(there));
  OK(hipStreamDestroy(here));
  OK(hipStreamDestroy(there));
  OK(hipEventDestroy(event));
}
