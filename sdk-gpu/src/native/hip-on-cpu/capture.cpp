#include "capture.h"

#include <algorithm>

#include "control.h"
#include "graph.h"

namespace hipcpu {
namespace {

using Streams = std::vector<std::shared_ptr<Stream>>;

void erase(Streams& streams, const std::shared_ptr<Stream>& stream) { std::erase(streams, stream); }

void invalidate(const Streams& streams) {
  for (const auto& stream : streams) {
    if (stream->captureStatus == hipStreamCaptureStatusActive)
      stream->captureStatus = hipStreamCaptureStatusInvalidated;
  }
}

void leaveCapture(Stream& stream, hipStreamCaptureStatus status) {
  stream.captureStatus = status;
  stream.capture = nullptr;
  stream.isOrigin = false;
  stream.lastNodes.clear();
  stream.capturedEvents.clear();
}

void forget(const std::shared_ptr<Stream>& origin) {
  auto& runtime = Runtime::get();
  erase(runtime.globalCaptures, origin);
  erase(runtime.allCaptures, origin);
  erase(threadState().captures, origin);
}

// HIP leaves the streams of an invalidated capture invalid for good.
void endAs(const std::shared_ptr<Stream>& origin, hipStreamCaptureStatus status) {
  auto capture = origin->capture;
  forget(origin);
  for (const auto& member : capture->members) {
    if (member->capture == capture) leaveCapture(*member, status);
  }
}

void dropGraph(Capture& capture) {
  capture.graph->forgetNodes();
  Runtime::get().graphs.remove(capture.graphHandle);
}

// Without streams that another thread destroyed in the middle of their capture.
Streams& capturesOfThisThread() {
  auto& captures = threadState().captures;
  std::erase_if(captures, [](const auto& stream) { return stream->capture == nullptr; });
  return captures;
}

hipError_t begin(hipStream_t handle, hipStreamCaptureMode mode) {
  auto& runtime = Runtime::get();
  auto stream = runtime.stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (isNullHandle(handle)) return hipErrorStreamCaptureUnsupported;
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) return hipErrorInvalidValue;
  if (stream->captureStatus == hipStreamCaptureStatusActive) return hipErrorIllegalState;
  static unsigned long long lastId = 0;
  auto capture = std::make_shared<Capture>();
  capture->graph = std::make_shared<Graph>();
  capture->graph->device = stream->device;
  capture->graphHandle = runtime.graphs.add(capture->graph);
  capture->id = ++lastId;
  capture->mode = mode;
  capture->members = {stream};
  leaveCapture(*stream, hipStreamCaptureStatusActive);
  stream->capture = capture;
  stream->isOrigin = true;
  erase(threadState().captures, stream);
  if (mode != hipStreamCaptureModeRelaxed) threadState().captures.push_back(stream);
  if (mode == hipStreamCaptureModeGlobal) runtime.globalCaptures.push_back(stream);
  runtime.allCaptures.push_back(stream);
  return hipSuccess;
}

bool isUnjoined(const Stream& origin) {
  auto leaves = origin.capture->graph->leaves();
  for (auto node : origin.lastNodes) std::erase(leaves, node);
  return !leaves.empty();
}

hipError_t end(hipStream_t handle, hipGraph_t* graph) {
  if (isNullHandle(handle)) return hipErrorIllegalState;
  auto stream = Runtime::get().stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (stream->captureStatus == hipStreamCaptureStatusNone) return hipErrorIllegalState;
  auto capture = stream->capture;
  if (capture == nullptr) return hipErrorStreamCaptureInvalidated;  // ended before; the stream stays unusable
  if (!stream->isOrigin) return hipErrorStreamCaptureUnmatched;
  auto& mine = capturesOfThisThread();
  if (capture->mode != hipStreamCaptureModeRelaxed && std::find(mine.begin(), mine.end(), stream) == mine.end()) {
    return hipErrorStreamCaptureWrongThread;
  }
  if (stream->captureStatus == hipStreamCaptureStatusInvalidated) {
    endAs(stream, hipStreamCaptureStatusInvalidated);
    dropGraph(*capture);
    return hipErrorStreamCaptureInvalidated;
  }
  if (isUnjoined(*stream)) {
    forget(stream);  // HIP reports it and leaves the capture open, in nobody's list
    return hipErrorStreamCaptureUnjoined;
  }
  endAs(stream, hipStreamCaptureStatusNone);
  *graph = static_cast<hipGraph_t>(capture->graphHandle);
  return hipSuccess;
}

hipError_t implicitOnNull(hipStream_t stream) {
  return isNullHandle(stream) && Runtime::get().isCaptureBlocking() ? hipErrorStreamCaptureImplicit : hipSuccess;
}

}  // namespace

hipError_t refusedWhileCapturing() {
  auto& thread = threadState();
  auto& runtime = Runtime::get();
  if (thread.captureMode == hipStreamCaptureModeRelaxed) return hipSuccess;
  if (auto& mine = capturesOfThisThread(); !mine.empty()) {
    invalidate(mine);
    return hipErrorStreamCaptureUnsupported;
  }
  if (thread.captureMode == hipStreamCaptureModeGlobal && !runtime.globalCaptures.empty()) {
    invalidate(runtime.globalCaptures);
    return hipErrorStreamCaptureUnsupported;
  }
  return hipSuccess;
}

hipError_t refusedWhileAnyoneCaptures(hipError_t status) {
  auto& runtime = Runtime::get();
  if (runtime.allCaptures.empty()) return hipSuccess;
  invalidate(runtime.allCaptures);
  return status;
}

bool captureForbidsAsking(const std::shared_ptr<Stream>& stream) {
  if (stream->isNull) return false;
  if (stream->captureStatus != hipStreamCaptureStatusNone) {
    stream->captureStatus = hipStreamCaptureStatusInvalidated;
    return true;
  }
  auto& thread = threadState();
  auto& runtime = Runtime::get();
  if (thread.captureMode == hipStreamCaptureModeRelaxed) return false;
  if (!runtime.globalCaptures.empty()) {
    invalidate(runtime.globalCaptures);
    return true;
  }
  auto& mine = capturesOfThisThread();
  invalidate(mine);
  return !mine.empty();
}

void joinCapture(Stream& stream, const std::shared_ptr<Stream>& from, const std::vector<hipGraphNode_t>& nodes) {
  auto& runtime = Runtime::get();
  if (!stream.isOrigin) {
    bool isNew = stream.capture != from->capture;
    stream.capture = from->capture;
    stream.captureStatus = hipStreamCaptureStatusActive;
    if (isNew) {
      stream.lastNodes.clear();
      stream.capture->members.push_back(runtime.streams.find(stream.handle));
    }
  }
  for (auto node : nodes) {
    auto& last = stream.lastNodes;
    if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
  }
}

void abandonCapture(const std::shared_ptr<Stream>& stream) {
  auto capture = stream->capture;
  if (capture == nullptr) return;
  if (!stream->isOrigin) {
    std::erase(capture->members, stream);
    return leaveCapture(*stream, hipStreamCaptureStatusNone);
  }
  endAs(stream, hipStreamCaptureStatusNone);
  dropGraph(*capture);
}

}  // namespace hipcpu

using namespace hipcpu;

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return api(__func__, stream, CALLER, [&] {
    auto held = guard();
    return begin(stream, mode);
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return api(__func__, stream, CALLER, [&] {
    if (graph == nullptr) return hipErrorInvalidValue;
    *graph = nullptr;
    auto held = guard();
    return end(stream, graph);
  });
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return api(__func__, stream, CALLER, [&] {
    if (status == nullptr) return hipErrorInvalidValue;
    auto held = guard();
    auto found = Runtime::get().stream(stream);
    if (found == nullptr) return hipErrorContextIsDestroyed;
    if (auto refused = implicitOnNull(stream); refused != hipSuccess) return refused;
    *status = found->captureStatus;
    return hipSuccess;
  });
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** dependencies, size_t* count) {
  return api(__func__, stream, CALLER, [&] {
    if (status == nullptr) return hipErrorInvalidValue;
    auto held = guard();
    if (auto refused = implicitOnNull(stream); refused != hipSuccess) return refused;
    auto found = Runtime::get().stream(stream);
    if (found == nullptr) return hipErrorContextIsDestroyed;
    *status = found->captureStatus;
    if (*status != hipStreamCaptureStatusActive) return hipSuccess;
    if (id != nullptr) *id = found->capture->id;
    if (graph != nullptr) *graph = static_cast<hipGraph_t>(found->capture->graphHandle);
    if (dependencies != nullptr) *dependencies = found->lastNodes.data();
    if (count != nullptr) *count = found->lastNodes.size();
    return hipSuccess;
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (mode == nullptr || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed) {
      return hipErrorInvalidValue;
    }
    std::swap(*mode, threadState().captureMode);
    return hipSuccess;
  });
}
