#include "control.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "hip_on_cpu.h"

namespace hipcpu {
namespace {

constexpr size_t kLogLimit = 1 << 20;  // calls beyond are counted, not written down
constexpr int kUnfinished = -1;

struct Record {
  std::string_view function;
  const void* stream;
  void* caller;
  int thread, device, status;
};

struct Plan {
  std::string function;  // "*": any
  long left;
  int status;
  long nanoseconds;
};

struct Control {
  std::mutex lock;
  uint64_t generation = 0;
  std::map<std::string, long, std::less<>> calls;  // the keys stay, so that records can point at them
  std::vector<Record> log;
  long notWritten = 0;
  std::vector<Plan> plans;
};

// Never destroyed: stream threads and exit handlers of other libraries may still call.
Control& control() {
  static Control* only = new Control;
  return *only;
}

int threadNumber() {
  static thread_local int number = static_cast<int>(syscall(SYS_gettid));
  return number;
}

struct Strike {
  int status = 0;
  long nanoseconds = 0;
};

Strike strike(std::vector<Plan>& plans, std::string_view function) {
  Strike strike;
  for (auto plan = plans.begin(); plan != plans.end();) {
    if ((plan->function != "*" && plan->function != function) || --plan->left > 0) {
      ++plan;
      continue;
    }
    if (plan->status != 0) strike.status = plan->status;
    strike.nanoseconds += plan->nanoseconds;
    plan = plans.erase(plan);
  }
  return strike;
}

std::string_view counted(Control& c, const char* function) {
  auto found = c.calls.find(std::string_view(function));
  if (found == c.calls.end()) found = c.calls.emplace(function, 0).first;
  ++found->second;
  return found->first;
}

std::string callerName(void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "-";
  const char* slash = std::strrchr(info.dli_fname, '/');
  return slash == nullptr ? info.dli_fname : slash + 1;
}

std::string streamName(const void* stream) {
  if (stream == kNoStream) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(stream)));
  return text;
}

void plan(const char* function, long nth, int status, long nanoseconds) {
  std::lock_guard held(control().lock);
  control().plans.push_back({function, nth < 1 ? 1 : nth, status, nanoseconds});
}

}  // namespace

Entry enter(const char* function, const void* stream, void* caller, bool canFail) {
  Control& c = control();
  Entry entry;
  long nanoseconds = 0;
  {
    std::lock_guard held(c.lock);
    auto name = counted(c, function);
    if (canFail && !c.plans.empty()) {
      auto struck = strike(c.plans, name);
      entry.planned = struck.status;
      nanoseconds = struck.nanoseconds;
    }
    entry.generation = c.generation;
    entry.index = c.log.size();
    if (c.log.size() < kLogLimit) {
      c.log.push_back({name, stream, caller, threadNumber(), threadState().device, kUnfinished});
    } else {
      ++c.notWritten;
    }
  }
  if (nanoseconds > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
  return entry;
}

void leave(const Entry& entry, int status) {
  Control& c = control();
  std::lock_guard held(c.lock);
  if (entry.generation == c.generation && entry.index < c.log.size()) c.log[entry.index].status = status;
}

}  // namespace hipcpu

using namespace hipcpu;

extern "C" void hipOnCpuReset(void) {
  Control& c = control();
  std::lock_guard held(c.lock);
  ++c.generation;
  for (auto& [name, count] : c.calls) count = 0;
  c.log.clear();
  c.notWritten = 0;
  c.plans.clear();
}

extern "C" void hipOnCpuFail(const char* function, long nth, int status) { plan(function, nth, status, 0); }

extern "C" void hipOnCpuDelay(const char* function, long nth, long nanoseconds) { plan(function, nth, 0, nanoseconds); }

extern "C" long hipOnCpuCalls(const char* function) {
  Control& c = control();
  std::lock_guard held(c.lock);
  long sum = 0;
  for (const auto& [name, count] : c.calls) {
    if (std::strcmp(function, "*") == 0 || name == function) sum += count;
  }
  return sum;
}

extern "C" long hipOnCpuLog(char* out, long size) {
  Control& c = control();
  std::string text;
  {
    std::lock_guard held(c.lock);
    std::unordered_map<void*, std::string> callers;
    for (const Record& record : c.log) {
      auto [caller, isNew] = callers.try_emplace(record.caller);
      if (isNew) caller->second = callerName(record.caller);
      text += std::to_string(record.thread) + ' ' + std::string(record.function) + ' ' + streamName(record.stream) +
              ' ' + std::to_string(record.device) + ' ' +
              (record.status == kUnfinished ? "-" : std::to_string(record.status)) + ' ' + caller->second + '\n';
    }
    if (c.notWritten > 0) text += "- " + std::to_string(c.notWritten) + "-calls-not-written-down - - - -\n";
  }
  long needed = static_cast<long>(text.size()) + 1;
  if (out != nullptr && size > 0) {
    long copied = std::min(needed, size) - 1;
    std::memcpy(out, text.data(), copied);
    out[copied] = '\0';
  }
  return needed;
}

extern "C" int hipOnCpuEnter(const char* function, void* stream, void* caller) {
  Entry entry = enter(function, stream, caller);
  leave(entry, entry.planned);
  return entry.planned;
}
