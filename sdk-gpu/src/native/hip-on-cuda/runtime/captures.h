// What the shim must know about captures. HIP ignores a capturing stream's wait for an event that was recorded outside
// the capture; CUDA refuses it and breaks the capture. While no capture is open (`openCaptures` is 0) nothing is done.
#pragma once

#include <atomic>

#include "driver.h"

namespace millrace {

extern std::atomic<int> openCaptures;

inline bool anyCaptureOpen() { return openCaptures.load(std::memory_order_relaxed) > 0; }

void captureBegun();
void captureEnded();
CUstreamCaptureStatus captureStatus(hipStream_t stream);

// Called after each record while a capture is open.
void noteRecord(hipEvent_t event, hipStream_t stream);
// The stream is capturing, and the event's last record is not part of that capture.
bool crossesCapture(hipStream_t stream, hipEvent_t event);
void forgetEvent(hipEvent_t event);

}  // namespace millrace
