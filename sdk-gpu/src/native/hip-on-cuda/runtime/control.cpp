#include "control.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace millrace {

std::atomic<bool> watching{false};

namespace {

struct Plan {
  std::string function;
  long remaining;
  int status;
  long nanoseconds;

  bool comesDue(const char* called) {
    return (function == "*" || function == called) && remaining > 0 && --remaining == 0;
  }
};

struct LoggedCall {
  long thread;
  const char* function;
  void* stream;
  int device;
  int status;
  void* caller;
};

constexpr size_t longestLog = 1u << 20;  // calls; a stress test must not fill the memory

std::mutex lock;
std::vector<Plan> plans;
std::vector<LoggedCall> calls;
std::map<std::string, long> counts;
std::atomic<long> live[5];
std::mutex bytesLock;
std::unordered_map<void*, size_t> sizes;

std::string callerName(void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return "-";
  }
  const char* slash = strrchr(info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

std::string line(const LoggedCall& entry) {
  char stream[32] = "-";
  if (entry.stream != noStream) {
    auto handle = static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(entry.stream));
    snprintf(stream, sizeof stream, "0x%llx", handle);
  }
  char text[256];
  snprintf(text, sizeof text, "%ld %s %s %d %d %s\n", entry.thread, entry.function, stream, entry.device, entry.status,
           callerName(entry.caller).c_str());
  return text;
}

long bytesInUse() {
  std::lock_guard guard(bytesLock);
  long sum = 0;
  for (auto& [pointer, size] : sizes) {
    sum += static_cast<long>(size);
  }
  return sum;
}

}  // namespace

hipError_t plannedFor(const char* function) {
  int status = 0;
  long sleep = 0;
  {
    std::lock_guard guard(lock);
    counts[function]++;
    for (Plan& plan : plans) {
      if (plan.comesDue(function)) {
        status = plan.status ? plan.status : status;
        sleep += plan.nanoseconds;
      }
    }
  }
  if (sleep > 0) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(sleep));
  }
  return static_cast<hipError_t>(status);
}

void countCall(const char* function) {
  std::lock_guard guard(lock);
  counts[function]++;
}

void logCall(const char* function, void* stream, int status, void* caller) {
  std::lock_guard guard(lock);
  if (calls.size() < longestLog) {
    calls.push_back({gettid(), function, stream, self.device, status, caller});
  }
}

void countLive(Live what, int change) { live[static_cast<int>(what)].fetch_add(change, std::memory_order_relaxed); }

void countBytes(void* pointer, size_t size) {
  std::lock_guard guard(bytesLock);
  sizes[pointer] = size;
}

void forgetBytes(void* pointer) {
  std::lock_guard guard(bytesLock);
  sizes.erase(pointer);
}

}  // namespace millrace

using namespace millrace;

void hipOnCpuReset(void) {
  std::lock_guard guard(lock);
  plans.clear();
  calls.clear();
  counts.clear();
  watching = true;
}

void hipOnCudaWatch(int on) { watching = on != 0; }

void hipOnCpuFail(const char* function, long nth, int status) {
  std::lock_guard guard(lock);
  plans.push_back({function, std::max(nth, 1L), status, 0});
  watching = true;
}

void hipOnCpuDelay(const char* function, long nth, long nanoseconds) {
  std::lock_guard guard(lock);
  plans.push_back({function, std::max(nth, 1L), 0, nanoseconds});
  watching = true;
}

long hipOnCpuCalls(const char* function) {
  std::lock_guard guard(lock);
  if (strcmp(function, "*") != 0) {
    auto place = counts.find(function);
    return place == counts.end() ? 0 : place->second;
  }
  long sum = 0;
  for (auto& [name, count] : counts) {
    sum += count;
  }
  return sum;
}

long hipOnCudaCalls(const char* function) { return hipOnCpuCalls(function); }

long hipOnCpuLog(char* out, long size) {
  std::string text;
  {
    std::lock_guard guard(lock);
    for (auto& entry : calls) {
      text += line(entry);
    }
  }
  if (out != nullptr && size > 0) {
    size_t fits = std::min(text.size(), static_cast<size_t>(size) - 1);
    memcpy(out, text.data(), fits);
    out[fits] = 0;
  }
  return static_cast<long>(text.size()) + 1;
}

long hipOnCpuLive(const char* what) {
  static const char* const words[] = {"streams", "events", "modules", "graphs", "execs"};
  for (int i = 0; i < 5; i++) {
    if (strcmp(what, words[i]) == 0) {
      return live[i];
    }
  }
  return strcmp(what, "bytes") == 0 ? bytesInUse() : -1;
}

int hipOnCpuEnter(const char* function, void* stream, void* caller) {
  if (!watching.load(std::memory_order_relaxed)) {
    return 0;
  }
  int status = plannedFor(function);
  logCall(function, stream, status, caller);
  return status;
}

int hipOnCudaAttach(void) { return attach(); }
