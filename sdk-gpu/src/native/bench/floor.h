// The floor under the SDK: the native calls that the work needs, made from C++ in the order in which the SDK makes
// them, and nothing else. A benchmark loads this library into the process that runs the SDK and interleaves rounds of
// both, on the same streams, functions and events, through the same HIP library.
//
// Handles are HIP's (hipStream_t, hipEvent_t, hipFunction_t, hipGraphExec_t, rocblas_handle …). Every function returns
// 0, or the status of the first call that failed (HIP's number; the library's own in floorBind), or -1 for arguments
// that make no sense; floorError() says which call it was. None may run on two threads at once unless it says so.
//
// "drainEvery": after so many rounds the stream is synchronised, outside the measured span, so that a full queue does
// not block the submissions; 1 measures submissions to an idle GPU.
#pragma once

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

// 48 bytes: function at 0, grid at 8, block at 20, sharedBytes at 32, parameters at 40.
typedef struct FloorKernel {
  void* function;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t sharedBytes;
  uint32_t unused;
  void** parameters;  // as for hipModuleLaunchKernel; may be null
} FloorKernel;

// Opens libamdhip64.so.6 of that folder, and, where they are there, librocblas.so.4, libhipblas.so.2 and
// libMIOpen.so.1. Must come first; a second call with any folder does nothing.
int64_t floorOpen(const char* folder);

// What failed last on the calling thread, or "". Valid until that thread's next call.
const char* floorError(void);

// One external run of a warm lane, `rounds` times; nanos[i] is what round i took to submit:
//   hipGetDevice, hipSetDevice if that is another one, hipStreamIsCapturing, `kernels` × hipModuleLaunchKernel,
//   hipEventRecord(event, stream), hipSetDevice back if it was changed.
int64_t floorExternal(void* stream, void* event, int32_t device, const FloorKernel* kernel, int32_t kernels,
                      int32_t rounds, int32_t drainEvery, int64_t* nanos);

// The same with one hipGraphLaunch(exec, stream) in place of the launches: a replayed captured program.
int64_t floorReplay(void* stream, void* event, int32_t device, void* exec, int32_t rounds, int32_t drainEvery,
                    int64_t* nanos);

// Launches alone: nanos[i] is `kernels` × hipModuleLaunchKernel.
int64_t floorLaunches(void* stream, const FloorKernel* kernel, int32_t kernels, int32_t rounds, int32_t drainEvery,
                      int64_t* nanos);

// From the first submission to the end of the work on the GPU: nanos[i] is `kernels` launches (if exec is null) or one
// graph launch, and hipStreamSynchronize.
int64_t floorThroughput(void* stream, const FloorKernel* kernel, int32_t kernels, void* exec, int32_t rounds,
                        int64_t* nanos);

// Binding three handles to a stream and putting them back, without work in flight and without workspace events:
//   rocblas_get_stream, hipblasGetStream, miopenGetStream, the three setters with `stream`, the three setters with what
//   the getters said. A null handle is left out.
int64_t floorBind(void* stream, void* rocblas, void* hipblas, void* miopen, int32_t rounds, int64_t* nanos);

// How a program's run is joined to its caller's stream.
enum {
  FLOOR_EXTERNAL = 0,   // enqueued on the caller's stream
  FLOOR_FORK_JOIN = 1,  // on a stream of the lane, joined by two events
  FLOOR_HOST_SYNC = 2   // on a stream of the lane, the host waiting before and after
};

// 48 bytes: int32 at 0, 4, 8, 12, 16, pointers at 24, 32, 40.
typedef struct FloorPattern {
  int32_t shape;
  int32_t callers;  // threads, each with a stream of its own
  int32_t lanes;    // 1: one program for all callers, `callers`: a lane for each
  int32_t kernels;  // of the program
  int32_t device;
  int32_t unused;
  const FloorKernel* before;  // on the caller's stream, before each run; may be null
  const FloorKernel* run;
  const FloorKernel* after;  // on the caller's stream, after each run; may be null
} FloorPattern;

// Every caller makes `runs` runs; *micros is the wall time until all of it is done on the GPU, divided by the number of
// all runs (`runs` times the number of callers). Makes its own threads,
// streams and events. An external run on a lane that last ran on another stream waits for the lane's event first.
int64_t floorPattern(const FloorPattern* pattern, int32_t runs, double* micros);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
