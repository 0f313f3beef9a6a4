#include "runtime.h"

#include <sys/mman.h>

#include <atomic>

#include "graph.h"
#include "modules.h"

namespace hipcpu {

namespace {

constexpr size_t kHandleRegion = size_t{1} << 36;
constexpr size_t kHandleStep = 64;

char* handleRegion() {
  void* region = mmap(nullptr, kHandleRegion, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return region == MAP_FAILED ? reinterpret_cast<char*>(0x7000'0000'0000) : static_cast<char*>(region);
}

}  // namespace

void* newHandle() {
  static char* const region = handleRegion();
  static std::atomic<size_t> next{kHandleStep};
  return region + next.fetch_add(kHandleStep);
}

ThreadState& threadState() {
  static thread_local ThreadState state;
  return state;
}

ThreadState::~ThreadState() {
  if (perThreadStreams.empty()) return;
  auto held = guard();
  for (const auto& [device, stream] : perThreadStreams) Runtime::get().streams.remove(stream->handle);
}

Knowledge merged(const Knowledge& a, const Knowledge& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  auto sum = std::make_shared<Launches>(*a);
  for (const auto& [exec, launch] : *b) {
    auto& known = (*sum)[exec];
    known = std::max(known, launch);
  }
  return sum;
}

// Never destroyed: stream threads may outlive main.
Runtime& Runtime::get() {
  static Runtime* only = new Runtime;
  return *only;
}

std::shared_ptr<Stream> Runtime::newStream(int device, unsigned flags, int priority, bool hidden) {
  auto made = std::make_shared<Stream>();
  made->device = device;
  made->flags = flags;
  made->priority = priority;
  made->hidden = hidden;
  made->handle = static_cast<hipStream_t>(streams.add(made));
  return made;
}

std::shared_ptr<Stream> Runtime::nullStream(int device) {
  auto& stream = nullStreams_[device];
  if (stream == nullptr) {
    stream = std::make_shared<Stream>();
    stream->device = device;
    stream->isNull = true;
    stream->hidden = true;
  }
  return stream;
}

std::shared_ptr<Stream> Runtime::stream(hipStream_t handle) {
  if (isNullHandle(handle)) return nullStream(threadState().device);
  if (handle == hipStreamPerThread) {
    auto& own = threadState().perThreadStreams[threadState().device];
    if (own == nullptr) own = newStream(threadState().device, hipStreamDefault, 0, true);
    return own;
  }
  auto found = streams.find(handle);
  return found == nullptr || found->closing ? nullptr : found;
}

std::vector<Point> Runtime::before(Stream& stream) {
  std::vector<Point> points;
  auto add = [&](const Stream& other) {
    Point point{other.queue, other.queue->last()};
    if (!point.done()) points.push_back(point);
    stream.known = merged(stream.known, other.known);
  };
  if (stream.isNull) {
    for (const auto& [handle, other] : streams) {
      if (other->device == stream.device && other->isBlocking()) add(*other);
    }
  } else if (stream.isBlocking() && nullStreams_[stream.device] != nullptr) {
    add(*nullStreams_[stream.device]);
  }
  return points;
}

Point Runtime::submit(Stream& stream, Queue::Task task) {
  auto points = before(stream);
  if (!points.empty()) {
    stream.queue->submit([points = std::move(points)] {
      for (const auto& point : points) point.await();
    });
  }
  return {stream.queue, stream.queue->submit(std::move(task))};
}

std::vector<Point> Runtime::tail(Stream& stream) {
  std::vector<Point> points;
  if (stream.isNull) points = before(stream);
  points.push_back({stream.queue, stream.queue->last()});
  return points;
}

std::vector<Point> Runtime::tailOfDevice(int device) {
  std::vector<Point> points;
  for (const auto& [handle, stream] : streams) {
    if (stream->device == device) points.push_back({stream->queue, stream->queue->last()});
  }
  if (auto null = nullStreams_[device]) points.push_back({null->queue, null->queue->last()});
  return points;
}

bool Runtime::isCaptureBlocking() const {
  for (const auto& [handle, stream] : streams) {
    if (stream->captureStatus == hipStreamCaptureStatusActive && stream->isBlocking()) return true;
  }
  return false;
}

Knowledge knownOnDevice(int device) {
  auto& runtime = Runtime::get();
  Knowledge known = runtime.nullStream(device)->known;
  for (const auto& [handle, stream] : runtime.streams) {
    if (stream->device == device) known = merged(known, stream->known);
  }
  return known;
}

void awaitAll(Guard& held, const std::vector<Point>& points, const Knowledge& known) {
  held.unlock();
  for (const auto& point : points) point.await();
  held.lock();
  auto& runtime = Runtime::get();
  runtime.hostKnown = merged(runtime.hostKnown, known);
}

}  // namespace hipcpu
