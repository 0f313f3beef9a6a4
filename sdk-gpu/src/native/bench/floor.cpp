#include "floor.h"

#include <cstddef>

#include "hip_calls.h"

using namespace millrace::bench;

static_assert(sizeof(FloorKernel) == 48 && offsetof(FloorKernel, parameters) == 40);
static_assert(sizeof(FloorPattern) == 48 && offsetof(FloorPattern, before) == 24);

namespace {

// The thread's device is what the work needs, and afterwards what it was.
struct DeviceScope {
  int before = 0;
  bool changed = false;

  int64_t enter(int device) {
    FLOOR_TRY(hip.hipGetDevice(&before), "hipGetDevice");
    if (before != device) {
      FLOOR_TRY(hip.hipSetDevice(device), "hipSetDevice");
      changed = true;
    }
    return 0;
  }
  int64_t leave() {
    if (changed) {
      FLOOR_TRY(hip.hipSetDevice(before), "hipSetDevice");
    }
    return 0;
  }
};

// One run: whatever `enqueue` enqueues, inside what every external run has around it.
template <class Enqueue>
int64_t externalRun(hipStream_t stream, hipEvent_t event, int device, Enqueue enqueue) {
  DeviceScope scope;
  hipStreamCaptureStatus capturing;
  if (int64_t status = scope.enter(device)) {
    return status;
  }
  FLOOR_TRY(hip.hipStreamIsCapturing(stream, &capturing), "hipStreamIsCapturing");
  if (int64_t status = enqueue()) {
    return status;
  }
  FLOOR_TRY(hip.hipEventRecord(event, stream), "hipEventRecord");
  return scope.leave();
}

int64_t launches(const FloorKernel& kernel, int kernels, hipStream_t stream) {
  for (int i = 0; i < kernels; i++) {
    FLOOR_TRY(launch(kernel, stream), "hipModuleLaunchKernel");
  }
  return 0;
}

int64_t graphLaunch(void* exec, hipStream_t stream) {
  FLOOR_TRY(hip.hipGraphLaunch(static_cast<hipGraphExec_t>(exec), stream), "hipGraphLaunch");
  return 0;
}

template <class Round>
int64_t measure(hipStream_t stream, int rounds, int drainEvery, int64_t* nanos, Round round) {
  clearFailure();
  if (rounds < 1 || drainEvery < 1 || nanos == nullptr) {
    return -1;
  }
  FLOOR_TRY(hip.hipStreamSynchronize(stream), "hipStreamSynchronize");
  for (int i = 0; i < rounds; i++) {
    int64_t start = nanosecondsNow();
    if (int64_t status = round()) {
      return status;
    }
    nanos[i] = nanosecondsNow() - start;
    if ((i + 1) % drainEvery == 0) {
      FLOOR_TRY(hip.hipStreamSynchronize(stream), "hipStreamSynchronize");
    }
  }
  FLOOR_TRY(hip.hipStreamSynchronize(stream), "hipStreamSynchronize");
  return 0;
}

struct Participant {
  void* handle;
  int (*get)(void* handle, void** stream);
  int (*set)(void* handle, void* stream);
  const char* getter;
  const char* setter;
  void* before = nullptr;
};

int64_t bindAndRestore(Participant* participants, int count, void* stream) {
  for (int i = 0; i < count; i++) {
    FLOOR_TRY(participants[i].get(participants[i].handle, &participants[i].before), participants[i].getter);
  }
  for (int i = 0; i < count; i++) {
    FLOOR_TRY(participants[i].set(participants[i].handle, stream), participants[i].setter);
  }
  for (int i = count - 1; i >= 0; i--) {
    FLOOR_TRY(participants[i].set(participants[i].handle, participants[i].before), participants[i].setter);
  }
  return 0;
}

}  // namespace

int64_t floorExternal(void* stream, void* event, int32_t device, const FloorKernel* kernel, int32_t kernels,
                      int32_t rounds, int32_t drainEvery, int64_t* nanos) {
  return measure(asStream(stream), rounds, drainEvery, nanos, [&] {
    return externalRun(asStream(stream), static_cast<hipEvent_t>(event), device,
                       [&] { return launches(*kernel, kernels, asStream(stream)); });
  });
}

int64_t floorReplay(void* stream, void* event, int32_t device, void* exec, int32_t rounds, int32_t drainEvery,
                    int64_t* nanos) {
  return measure(asStream(stream), rounds, drainEvery, nanos, [&] {
    return externalRun(asStream(stream), static_cast<hipEvent_t>(event), device,
                       [&] { return graphLaunch(exec, asStream(stream)); });
  });
}

int64_t floorLaunches(void* stream, const FloorKernel* kernel, int32_t kernels, int32_t rounds, int32_t drainEvery,
                      int64_t* nanos) {
  return measure(asStream(stream), rounds, drainEvery, nanos,
                 [&] { return launches(*kernel, kernels, asStream(stream)); });
}

int64_t floorThroughput(void* stream, const FloorKernel* kernel, int32_t kernels, void* exec, int32_t rounds,
                        int64_t* nanos) {
  return measure(asStream(stream), rounds, rounds, nanos, [&]() -> int64_t {
    int64_t status = exec == nullptr ? launches(*kernel, kernels, asStream(stream))
                                     : graphLaunch(exec, asStream(stream));
    if (status != 0) {
      return status;
    }
    FLOOR_TRY(hip.hipStreamSynchronize(asStream(stream)), "hipStreamSynchronize");
    return 0;
  });
}

int64_t floorBind(void* stream, void* rocblas, void* hipblas, void* miopen, int32_t rounds, int64_t* nanos) {
  Participant participants[3];
  int count = 0;
  auto add = [&](const Participant& p) {
    if (p.handle != nullptr) {
      participants[count++] = p;
    }
    return p.handle == nullptr || (p.get != nullptr && p.set != nullptr);
  };
  const Participant all[] = {
      {rocblas, hip.rocblas_get_stream, hip.rocblas_set_stream, "rocblas_get_stream", "rocblas_set_stream"},
      {hipblas, hip.hipblasGetStream, hip.hipblasSetStream, "hipblasGetStream", "hipblasSetStream"},
      {miopen, hip.miopenGetStream, hip.miopenSetStream, "miopenGetStream", "miopenSetStream"}};
  if (!add(all[0]) || !add(all[1]) || !add(all[2])) {
    return -1;
  }
  return measure(asStream(stream), rounds, rounds, nanos, [&] { return bindAndRestore(participants, count, stream); });
}
