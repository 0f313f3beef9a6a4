#include "hip_calls.h"

#include <dlfcn.h>

#include <ctime>
#include <mutex>
#include <string>

namespace millrace::bench {

HipCalls hip;

namespace {

thread_local std::string lastError;
thread_local int64_t lastStatus = 0;

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

void* open(const std::string& folder, const char* name) { return dlopen((folder + "/" + name).c_str(), RTLD_NOW); }

bool complain(const char* text) {
  lastStatus = -1;
  lastError = text == nullptr ? "dlopen" : text;
  return false;
}

bool load(const std::string& folder) {
  void* library = open(folder, "libamdhip64.so.6");
  if (library == nullptr) {
    return complain(dlerror());
  }
#define FLOOR_FIND(name)                  \
  if (!find(library, #name, hip.name)) {  \
    return complain("no " #name);         \
  }
  FLOOR_HIP_FUNCTIONS(FLOOR_FIND)
#undef FLOOR_FIND
  void* rocblas = open(folder, "librocblas.so.4");
  void* hipblas = open(folder, "libhipblas.so.2");
  void* miopen = open(folder, "libMIOpen.so.1");
  find(rocblas, "rocblas_get_stream", hip.rocblas_get_stream);
  find(rocblas, "rocblas_set_stream", hip.rocblas_set_stream);
  find(hipblas, "hipblasGetStream", hip.hipblasGetStream);
  find(hipblas, "hipblasSetStream", hip.hipblasSetStream);
  find(miopen, "miopenGetStream", hip.miopenGetStream);
  find(miopen, "miopenSetStream", hip.miopenSetStream);
  return true;
}

}  // namespace

bool failed(int64_t status, const char* function) {
  if (status == 0) [[likely]] {
    return false;
  }
  lastStatus = status;
  lastError = std::string(function) + ": status " + std::to_string(status);
  return true;
}

int64_t failure() { return lastStatus; }

void clearFailure() {
  lastStatus = 0;
  lastError.clear();
}

int64_t nanosecondsNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

}  // namespace millrace::bench

using namespace millrace::bench;

int64_t floorOpen(const char* folder) {
  static std::mutex lock;
  static bool opened = false;
  std::lock_guard guard(lock);
  clearFailure();
  opened = opened || load(folder);
  return opened ? 0 : failure();
}

const char* floorError(void) { return lastError.c_str(); }
