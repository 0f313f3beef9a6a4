// The three ways to join a program's run to its caller, with any number of callers and lanes.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hip_calls.h"

using namespace millrace::bench;

namespace {

constexpr int mostCallers = 64;

// What a loaded program has once, or once a lane: runs of one lane are submitted one after the other.
struct Lane {
  std::mutex lock;
  hipStream_t own = nullptr;
  hipEvent_t begin = nullptr;
  hipEvent_t end = nullptr;
  hipStream_t last = nullptr;

  int64_t create() {
    FLOOR_TRY(hip.hipStreamCreateWithFlags(&own, hipStreamNonBlocking), "hipStreamCreateWithFlags");
    FLOOR_TRY(hip.hipEventCreateWithFlags(&begin, hipEventDisableTiming), "hipEventCreateWithFlags");
    FLOOR_TRY(hip.hipEventCreateWithFlags(&end, hipEventDisableTiming), "hipEventCreateWithFlags");
    return 0;
  }
  ~Lane() {
    if (end != nullptr) hip.hipEventDestroy(end);
    if (begin != nullptr) hip.hipEventDestroy(begin);
    if (own != nullptr) hip.hipStreamDestroy(own);
  }
};

int64_t launchAll(const FloorPattern& p, hipStream_t stream) {
  for (int i = 0; i < p.kernels; i++) {
    FLOOR_TRY(launch(*p.run, stream), "hipModuleLaunchKernel");
  }
  return 0;
}

int64_t external(const FloorPattern& p, Lane& lane, hipStream_t stream) {
  std::lock_guard guard(lane.lock);
  int device;
  hipStreamCaptureStatus capturing;
  FLOOR_TRY(hip.hipGetDevice(&device), "hipGetDevice");
  FLOOR_TRY(hip.hipStreamIsCapturing(stream, &capturing), "hipStreamIsCapturing");
  if (lane.last != nullptr && lane.last != stream) {
    FLOOR_TRY(hip.hipStreamWaitEvent(stream, lane.end, 0), "hipStreamWaitEvent");
  }
  if (int64_t status = launchAll(p, stream)) {
    return status;
  }
  FLOOR_TRY(hip.hipEventRecord(lane.end, stream), "hipEventRecord");
  lane.last = stream;
  return 0;
}

int64_t forkJoin(const FloorPattern& p, Lane& lane, hipStream_t stream) {
  std::lock_guard guard(lane.lock);
  FLOOR_TRY(hip.hipEventRecord(lane.begin, stream), "hipEventRecord");
  FLOOR_TRY(hip.hipStreamWaitEvent(lane.own, lane.begin, 0), "hipStreamWaitEvent");
  if (int64_t status = launchAll(p, lane.own)) {
    return status;
  }
  FLOOR_TRY(hip.hipEventRecord(lane.end, lane.own), "hipEventRecord");
  FLOOR_TRY(hip.hipStreamWaitEvent(stream, lane.end, 0), "hipStreamWaitEvent");
  return 0;
}

int64_t hostSync(const FloorPattern& p, Lane& lane, hipStream_t stream) {
  FLOOR_TRY(hip.hipStreamSynchronize(stream), "hipStreamSynchronize");
  std::lock_guard guard(lane.lock);
  if (int64_t status = launchAll(p, lane.own)) {
    return status;
  }
  FLOOR_TRY(hip.hipStreamSynchronize(lane.own), "hipStreamSynchronize");
  return 0;
}

int64_t oneRun(const FloorPattern& p, Lane& lane, hipStream_t stream) {
  if (p.before != nullptr) {
    FLOOR_TRY(launch(*p.before, stream), "hipModuleLaunchKernel");
  }
  int64_t status = p.shape == FLOOR_EXTERNAL    ? external(p, lane, stream)
                   : p.shape == FLOOR_FORK_JOIN ? forkJoin(p, lane, stream)
                                                : hostSync(p, lane, stream);
  if (status == 0 && p.after != nullptr) {
    FLOOR_TRY(launch(*p.after, stream), "hipModuleLaunchKernel");
  }
  return status;
}

// All callers start at once, as soon as each has its stream and has made one run to warm up.
struct Start {
  std::atomic<int> waiting{0};
  std::atomic<bool> go{false};

  void wait() {
    waiting++;
    while (!go) {
      std::this_thread::yield();
    }
  }
};

int64_t callerRuns(const FloorPattern& p, Lane& lane, int runs, Start& start, hipStream_t stream) {
  int64_t status = hip.hipSetDevice(p.device);
  status = status != 0 ? status : oneRun(p, lane, stream);
  status = status != 0 ? status : static_cast<int64_t>(hip.hipStreamSynchronize(stream));
  start.wait();
  for (int i = 0; i < runs && status == 0; i++) {
    status = oneRun(p, lane, stream);
  }
  int64_t drained = hip.hipStreamSynchronize(stream);
  return status != 0 ? status : drained;
}

bool sensible(const FloorPattern* p, int runs, const double* micros) {
  return p != nullptr && micros != nullptr && runs > 0 && p->run != nullptr && p->shape >= FLOOR_EXTERNAL &&
         p->shape <= FLOOR_HOST_SYNC && p->callers >= 1 && p->callers <= mostCallers && p->lanes >= 1 &&
         p->lanes <= p->callers && p->kernels >= 0;
}

int64_t runCallers(const FloorPattern& p, std::vector<std::unique_ptr<Lane>>& lanes,
                   const std::vector<hipStream_t>& streams, int runs, double* micros) {
  Start start;
  std::vector<int64_t> statuses(p.callers);
  std::vector<std::thread> threads;
  for (int i = 0; i < p.callers; i++) {
    threads.emplace_back([&, i] { statuses[i] = callerRuns(p, *lanes[i % p.lanes], runs, start, streams[i]); });
  }
  while (start.waiting < p.callers) {
    std::this_thread::yield();
  }
  int64_t begin = nanosecondsNow();
  start.go = true;
  for (auto& thread : threads) {
    thread.join();
  }
  *micros = static_cast<double>(nanosecondsNow() - begin) / 1000 / runs / p.callers;
  for (int64_t status : statuses) {
    FLOOR_TRY(status, "a caller's run");
  }
  return 0;
}

}  // namespace

int64_t floorPattern(const FloorPattern* pattern, int32_t runs, double* micros) {
  clearFailure();
  if (!sensible(pattern, runs, micros)) {
    return -1;
  }
  FLOOR_TRY(hip.hipSetDevice(pattern->device), "hipSetDevice");
  std::vector<std::unique_ptr<Lane>> lanes;
  std::vector<hipStream_t> streams(pattern->callers);
  for (int i = 0; i < pattern->lanes; i++) {
    lanes.push_back(std::make_unique<Lane>());
    if (int64_t status = lanes.back()->create()) {
      return status;
    }
  }
  for (auto& stream : streams) {
    FLOOR_TRY(hip.hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "hipStreamCreateWithFlags");
  }
  int64_t status = runCallers(*pattern, lanes, streams, runs, micros);
  for (auto stream : streams) {
    hip.hipStreamDestroy(stream);
  }
  return status;
}
