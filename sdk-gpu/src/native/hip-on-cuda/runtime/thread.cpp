#include "thread.h"

#include <mutex>

namespace millrace {

thread_local constinit ThreadState self;

namespace {

constexpr int mostDevices = 64;
std::mutex contextLock;
CUcontext contexts[mostDevices];

}  // namespace

hipError_t countDevices(int* count) {
  *count = 0;
  if (hipError_t status = startDriver()) {
    return status;
  }
  hipError_t status = toHip(cuda.cuDeviceGetCount(count));
  return status == hipSuccess && *count == 0 ? hipErrorNoDevice : status;
}

hipError_t contextOf(int device, CUcontext* context) {
  int count;
  if (hipError_t status = countDevices(&count)) {
    return status;
  }
  if (device < 0 || device >= count || device >= mostDevices) {
    return hipErrorInvalidDevice;
  }
  std::lock_guard guard(contextLock);
  hipError_t status = hipSuccess;
  if (contexts[device] == nullptr) {
    status = toHip(cuda.cuDevicePrimaryCtxRetain(&contexts[device], device));
  }
  *context = contexts[device];
  return status;
}

hipError_t selectDevice(int device) {
  if (self.attached && self.device == device) {
    return hipSuccess;
  }
  CUcontext context;
  if (hipError_t status = contextOf(device, &context)) {
    return status;
  }
  hipError_t status = toHip(cuda.cuCtxSetCurrent(context));
  if (status == hipSuccess) {
    self.device = device;
    self.attached = true;
  }
  return status;
}

hipError_t attachSlowly() { return selectDevice(self.device); }

}  // namespace millrace
