#include <thread>

#include "code_objects.h"

namespace {

hipStreamCaptureStatus statusOf(hipStream_t stream) {
  hipStreamCaptureStatus status;
  OK(hipStreamIsCapturing(stream, &status));
  return status;
}

hipStream_t capturing(hipStreamCaptureMode mode = hipStreamCaptureModeThreadLocal) {
  auto stream = newStream();
  OK(hipStreamBeginCapture(stream, mode));
  return stream;
}

// Ends a capture that was broken, and the stream with it.
void discard(hipStream_t stream) {
  hipGraph_t graph;
  CHECK_EQUAL(statusOf(stream), hipStreamCaptureStatusInvalidated);
  CHECK_EQUAL(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  OK(hipStreamDestroy(stream));
}

// Ends a capture that is whole.
void finish(hipStream_t stream) {
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}

template <typename Body>
hipError_t onAnotherThread(Body body) {
  hipError_t status;
  std::thread([&] { status = body(); }).join();
  return status;
}

}  // namespace

TEST(capturesInsteadOfRunning) {
  TestKernels kernels;
  DeviceInt out;
  auto stream = capturing();
  CHECK_EQUAL(statusOf(stream), hipStreamCaptureStatusActive);
  launchIncrement(kernels["increment"], stream, out.pointer);
  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  hipGraph_t during, graph;
  const hipGraphNode_t* last;
  size_t count;
  OK(hipStreamGetCaptureInfo_v2(stream, &status, &id, &during, &last, &count));
  CHECK(id > 0);
  CHECK_EQUAL(count, 1);
  OK(hipStreamEndCapture(stream, &graph));
  CHECK(graph == during);
  CHECK_EQUAL(statusOf(stream), hipStreamCaptureStatusNone);
  OK(hipStreamSynchronize(stream));
  CHECK_EQUAL(out.get(), 0);
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphDestroy(graph));
  for (int i = 0; i < 3; ++i) OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  CHECK_EQUAL(out.get(), 3);
  OK(hipGraphExecDestroy(exec));
  OK(hipStreamDestroy(stream));
}

TEST(forksJoinTheCapture) {
  TestKernels kernels;
  DeviceInt left, right;
  auto origin = capturing(), fork = newStream();
  auto begin = newEvent(), end = newEvent();
  launchIncrement(kernels["increment"], origin, left.pointer);
  OK(hipEventRecord(begin, origin));
  OK(hipStreamWaitEvent(fork, begin, 0));
  CHECK_EQUAL(statusOf(fork), hipStreamCaptureStatusActive);
  launchIncrement(kernels["increment"], fork, right.pointer);
  launchIncrement(kernels["increment"], origin, left.pointer);
  hipGraph_t graph;
  CHECK_EQUAL(hipStreamEndCapture(fork, &graph), hipErrorStreamCaptureUnmatched);
  OK(hipEventRecord(end, fork));
  OK(hipStreamWaitEvent(origin, end, 0));
  OK(hipStreamEndCapture(origin, &graph));
  CHECK_EQUAL(statusOf(fork), hipStreamCaptureStatusNone);
  size_t count = 0;
  OK(hipGraphGetNodes(graph, nullptr, &count));
  CHECK_EQUAL(count, 3);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphLaunch(exec, fork));
  OK(hipStreamSynchronize(fork));
  CHECK_EQUAL(left.get() * 10 + right.get(), 21);
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  for (auto stream : {origin, fork}) OK(hipStreamDestroy(stream));
  for (auto event : {begin, end}) OK(hipEventDestroy(event));
}

TEST(reportsAForkThatWasNotJoined) {
  TestKernels kernels;
  DeviceInt out;
  auto origin = capturing(), fork = newStream();
  auto begin = newEvent();
  OK(hipEventRecord(begin, origin));
  OK(hipStreamWaitEvent(fork, begin, 0));
  launchIncrement(kernels["increment"], origin, out.pointer);
  launchIncrement(kernels["increment"], fork, out.pointer);
  hipGraph_t graph;
  CHECK_EQUAL(hipStreamEndCapture(origin, &graph), hipErrorStreamCaptureUnjoined);
  OK(hipStreamDestroy(origin));
  CHECK_EQUAL(statusOf(fork), hipStreamCaptureStatusNone);
  OK(hipStreamDestroy(fork));
  OK(hipEventDestroy(begin));
}

TEST(waitsNowForAnEventFromOutsideTheCapture) {
  auto outside = newStream(), stream = capturing();
  auto event = newEvent();
  Gate gate;
  gate.holdOn(outside);
  OK(hipEventRecord(event, outside));
  OK(hipStreamWaitEvent(stream, event, 0));
  CHECK_EQUAL(statusOf(stream), hipStreamCaptureStatusActive);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  size_t count = 9;
  OK(hipGraphGetNodes(graph, nullptr, &count));
  CHECK_EQUAL(count, 0);
  CHECK_EQUAL(hipStreamQuery(stream), hipErrorNotReady);
  gate.open();
  OK(hipStreamSynchronize(stream));
  OK(hipGraphDestroy(graph));
  for (auto s : {outside, stream}) OK(hipStreamDestroy(s));
  OK(hipEventDestroy(event));
}

TEST(askingACapturedEventBreaksTheCapture) {
  auto event = newEvent();
  auto stream = capturing(hipStreamCaptureModeRelaxed);
  OK(hipEventRecord(event, stream));
  CHECK_EQUAL(hipEventQuery(event), hipErrorCapturedEvent);
  discard(stream);
  stream = capturing(hipStreamCaptureModeRelaxed);
  OK(hipEventRecord(event, stream));
  CHECK_EQUAL(hipEventSynchronize(event), hipErrorCapturedEvent);
  discard(stream);
  OK(hipEventDestroy(event));
}

TEST(streamOfABrokenCaptureStaysUnusable) {
  auto stream = capturing();
  CHECK_EQUAL(hipStreamQuery(stream), hipErrorStreamCaptureUnsupported);
  CHECK_EQUAL(hipLaunchHostFunc(stream, append, nullptr), hipErrorStreamCaptureInvalidated);
  hipGraph_t graph;
  CHECK_EQUAL(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
  CHECK_EQUAL(live("graphs"), 0);
  CHECK_EQUAL(hipLaunchHostFunc(stream, append, nullptr), hipErrorStreamCaptureInvalidated);
  CHECK_EQUAL(hipMemsetAsync(nullptr, 0, 0, stream), hipErrorStreamCaptureInvalidated);
  CHECK_EQUAL(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
  CHECK_EQUAL(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
  OK(hipStreamDestroy(stream));
}

TEST(synchronousCopiesOfAnyThreadBreakEveryCapture) {
  DeviceInt out;
  int value = 1;
  for (auto mode : {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    auto stream = capturing(mode);
    CHECK_EQUAL(onAnotherThread([&] { return hipMemcpy(out.pointer, &value, 4, hipMemcpyHostToDevice); }),
                hipErrorStreamCaptureImplicit);
    discard(stream);
    stream = capturing(mode);
    CHECK_EQUAL(onAnotherThread([] { return hipDeviceSynchronize(); }), hipErrorStreamCaptureUnsupported);
    discard(stream);
    stream = capturing(mode);
    CHECK_EQUAL(onAnotherThread([&] { return hipMemset(out.pointer, 0, 4); }), hipErrorStreamCaptureImplicit);
    discard(stream);
  }
}

TEST(globalCapturesAreBrokenByAllocationsAndQueriesOfOtherThreads) {
  void* memory;
  auto other = newStream();
  auto stream = capturing(hipStreamCaptureModeGlobal);
  CHECK_EQUAL(onAnotherThread([&] { return hipMalloc(&memory, 1); }), hipErrorStreamCaptureUnsupported);
  discard(stream);
  stream = capturing(hipStreamCaptureModeGlobal);
  CHECK_EQUAL(onAnotherThread([&] { return hipStreamQuery(other); }), hipErrorStreamCaptureUnsupported);
  discard(stream);
  OK(hipStreamDestroy(other));
}

TEST(relaxedThreadsBreakNoGlobalCapture) {
  void* memory;
  auto other = newStream();
  auto stream = capturing(hipStreamCaptureModeGlobal);
  OK(onAnotherThread([&] {
    auto mode = hipStreamCaptureModeRelaxed;
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    CHECK_EQUAL(mode, hipStreamCaptureModeGlobal);
    OK(hipMalloc(&memory, 1));
    OK(hipFree(memory));
    OK(hipStreamQuery(other));
    return hipStreamSynchronize(other);
  }));
  CHECK_EQUAL(statusOf(stream), hipStreamCaptureStatusActive);
  finish(stream);
  OK(hipStreamDestroy(other));
}

TEST(threadLocalCapturesAreBrokenByTheirOwnThreadOnly) {
  void* memory;
  auto stream = capturing();
  OK(onAnotherThread([&] { return hipMalloc(&memory, 1); }));
  CHECK_EQUAL(statusOf(stream), hipStreamCaptureStatusActive);
  CHECK_EQUAL(hipFree(memory), hipErrorStreamCaptureUnsupported);
  discard(stream);
  OK(hipFree(memory));
}

TEST(relaxedCapturesAllowAllocations) {
  void* memory;
  auto stream = capturing(hipStreamCaptureModeRelaxed);
  OK(hipMalloc(&memory, 1));
  OK(hipFree(memory));
  finish(stream);
}

TEST(endsACaptureOnlyOnItsThread) {
  hipGraph_t graph;
  auto stream = capturing();
  CHECK_EQUAL(onAnotherThread([&] { return hipStreamEndCapture(stream, &graph); }), hipErrorStreamCaptureWrongThread);
  finish(stream);
  stream = capturing(hipStreamCaptureModeRelaxed);
  OK(onAnotherThread([&] { return hipStreamEndCapture(stream, &graph); }));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}

TEST(refusesWrongCaptures) {
  hipGraph_t graph;
  auto stream = newStream();
  CHECK_EQUAL(hipStreamBeginCapture(nullptr, hipStreamCaptureModeRelaxed), hipErrorStreamCaptureUnsupported);
  CHECK_EQUAL(hipStreamBeginCapture(stream, static_cast<hipStreamCaptureMode>(3)), hipErrorInvalidValue);
  CHECK_EQUAL(hipStreamEndCapture(stream, &graph), hipErrorIllegalState);
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  CHECK_EQUAL(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), hipErrorIllegalState);
  OK(hipStreamDestroy(stream));  // in the middle of its capture
  CHECK_EQUAL(live("graphs"), 0);
}

TEST(isolatesCapturesFromEventsThatWereNotCaptured) {
  auto event = newEvent();
  auto stream = newStream(), other = newStream();
  OK(hipEventRecord(event, stream));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  CHECK_EQUAL(hipStreamWaitEvent(other, event, 0), hipErrorStreamCaptureIsolation);
  finish(stream);
  OK(hipStreamDestroy(other));
  OK(hipEventDestroy(event));
}

TEST(nullStreamMustNotBeAskedWhileABlockingStreamCaptures) {
  auto stream = newStream(hipStreamDefault);
  hipStreamCaptureStatus status;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  CHECK_EQUAL(hipStreamIsCapturing(nullptr, &status), hipErrorStreamCaptureImplicit);
  finish(stream);
  OK(hipStreamIsCapturing(nullptr, &status));
  CHECK_EQUAL(status, hipStreamCaptureStatusNone);
}
