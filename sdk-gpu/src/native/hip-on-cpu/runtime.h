// Streams, events, graphs and modules that are alive, and the order of their work. One lock guards the tables and the
// act of submitting; nothing waits for work while it holds it.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <unordered_set>
#include <vector>

#include "handles.h"
#include "hip_abi.h"
#include "queue.h"
#include "thread_state.h"

namespace hipcpu {

struct Graph;
struct GraphNode;
struct GraphExec;
struct Module;
struct Kernel;

constexpr int kMaxDevices = 16;

// For each instantiated graph, by its id, the number of its last launch that is known to be ordered before.
using Launches = std::map<uint64_t, uint64_t>;

// Shared and never changed: recording an event costs one pointer, also where thousands of graphs were launched.
using Knowledge = std::shared_ptr<const Launches>;

Knowledge merged(const Knowledge& a, const Knowledge& b);

struct Capture {
  std::shared_ptr<Graph> graph;
  void* graphHandle = nullptr;
  unsigned long long id = 0;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  std::vector<std::shared_ptr<Stream>> members;  // the origin first
};

struct Stream {
  hipStream_t handle = nullptr;
  int device = 0;
  unsigned flags = hipStreamDefault;
  int priority = 0;
  bool isNull = false;
  bool closing = false;  // being drained: no longer valid, still ordered before the null stream's work
  bool hidden = false;   // per-thread and null streams are not counted as the application's
  std::shared_ptr<Queue> queue = std::make_shared<Queue>();
  Knowledge known;

  hipStreamCaptureStatus captureStatus = hipStreamCaptureStatusNone;
  std::shared_ptr<Capture> capture;
  bool isOrigin = false;
  std::vector<hipGraphNode_t> lastNodes;           // what the next captured operation depends on
  std::unordered_set<const void*> capturedEvents;  // recorded in this capture

  bool isBlocking() const { return isNull || (flags & hipStreamNonBlocking) == 0; }
};

struct Timestamp {
  int64_t nanoseconds = 0;  // written by the stream's thread before the point is done
};

struct Event {
  int device = 0;
  unsigned flags = 0;
  bool recorded = false;
  Point point;  // the latest record
  std::shared_ptr<Timestamp> time;
  Knowledge known;
  hipStream_t stream = nullptr;  // which the last record, in a capture or not, named
  std::vector<hipGraphNode_t> capturedAfter;
};

class Runtime {
 public:
  static Runtime& get();

  std::mutex lock;
  Table<Stream> streams;
  Table<Event> events;
  Table<Graph> graphs;
  Table<GraphNode> nodes;
  Table<GraphExec> execs;
  Table<Module> modules;
  Table<const Kernel> kernels;
  std::vector<std::shared_ptr<Stream>> globalCaptures;  // origins whose mode is global
  std::vector<std::shared_ptr<Stream>> allCaptures;     // all origins
  Knowledge hostKnown;                                  // what some thread of the host has waited for
  long execOverlaps = 0;

  // All below: with the lock held.

  // Null: the handle names no live stream. 0 and 1 are the current device's null stream, 2 the thread's own.
  std::shared_ptr<Stream> stream(hipStream_t handle);
  std::shared_ptr<Stream> newStream(int device, unsigned flags, int priority, bool hidden);
  std::shared_ptr<Stream> nullStream(int device);

  // Appends a task, after what the null stream's rules put before it.
  Point submit(Stream& stream, Queue::Task task);
  // The point after all work of the stream so far (of the null stream: of the blocking streams too).
  std::vector<Point> tail(Stream& stream);
  std::vector<Point> tailOfDevice(int device);
  bool isCaptureBlocking() const;

 private:
  std::vector<Point> before(Stream& stream);
  std::array<std::shared_ptr<Stream>, kMaxDevices> nullStreams_;
};

using Guard = std::unique_lock<std::mutex>;
inline Guard guard() { return Guard(Runtime::get().lock); }

// Waits with the lock released, then notes down what the host knows now.
void awaitAll(Guard& held, const std::vector<Point>& points, const Knowledge& known);
Knowledge knownOnDevice(int device);

// With the lock held.
hipError_t recordEvent(hipEvent_t event, hipStream_t stream, unsigned flags);

inline bool isNullHandle(hipStream_t stream) { return stream == nullptr || stream == hipStreamLegacy; }

}  // namespace hipcpu
