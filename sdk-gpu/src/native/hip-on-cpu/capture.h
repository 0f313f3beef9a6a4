// The rules by which a capture is begun, joined, broken and ended.
#pragma once

#include "runtime.h"

namespace hipcpu {

// Each with the runtime's lock held. A status other than success is to be returned by the caller; the captures that
// the call must not be made in are invalid then.

// Allocations and the like: forbidden while this thread captures, or any thread in global mode, unless this thread is
// relaxed.
hipError_t refusedWhileCapturing();
// Synchronous copies and fills: forbidden while anybody captures, in whatever mode.
hipError_t refusedWhileAnyoneCaptures(hipError_t status);
// Queries and waits on this stream. True if a capture forbids them.
bool captureForbidsAsking(const std::shared_ptr<Stream>& stream);

void joinCapture(Stream& stream, const std::shared_ptr<Stream>& from, const std::vector<hipGraphNode_t>& nodes);
// The stream leaves its capture as if it had never been in it; an origin's capture ends for all members.
void abandonCapture(const std::shared_ptr<Stream>& stream);

}  // namespace hipcpu
