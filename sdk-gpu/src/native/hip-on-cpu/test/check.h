// The smallest thing that runs named tests, one after the other, and says where one failed.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "hip_abi.h"
#include "hip_on_cpu.h"

struct Test {
  const char* name;
  void (*body)();
};

inline std::vector<Test>& allTests() {
  static std::vector<Test> tests;
  return tests;
}

struct Failure {
  std::string where;
};

inline int registerTest(const char* name, void (*body)()) {
  allTests().push_back({name, body});
  return 0;
}

#define TEST(name)                                                \
  static void name();                                             \
  static const int registered_##name = registerTest(#name, name); \
  static void name()

inline std::string text(long long value) { return std::to_string(value); }

#define CHECK_EQUAL(actual, expected)                                                                               \
  do {                                                                                                              \
    auto actual_ = static_cast<long long>(actual);                                                                  \
    auto expected_ = static_cast<long long>(expected);                                                              \
    if (actual_ != expected_)                                                                                       \
      throw Failure{std::string(__FILE__) + ":" + text(__LINE__) + ": " #actual " is " + text(actual_) + ", not " + \
                    text(expected_)};                                                                               \
  } while (false)

#define CHECK(condition) CHECK_EQUAL(static_cast<bool>(condition), true)
#define OK(call) CHECK_EQUAL(call, hipSuccess)

// Holds a stream's work until it is opened: no test depends on how fast anything is.
class Gate {
 public:
  void holdOn(hipStream_t stream) { OK(hipLaunchHostFunc(stream, wait, this)); }
  void open() {
    open_ = true;
    open_.notify_all();
  }
  ~Gate() { open(); }

 private:
  static void wait(void* self) { static_cast<Gate*>(self)->open_.wait(false); }
  std::atomic<bool> open_{false};
};

inline hipStream_t newStream(unsigned flags = hipStreamNonBlocking) {
  hipStream_t stream = nullptr;
  OK(hipStreamCreateWithFlags(&stream, flags));
  return stream;
}

inline hipEvent_t newEvent(unsigned flags = hipEventDisableTiming) {
  hipEvent_t event = nullptr;
  OK(hipEventCreateWithFlags(&event, flags));
  return event;
}

// Appends to a list from the stream's thread.
struct Note {
  std::vector<int>* list;
  int value;
};

inline void append(void* note) {
  auto* n = static_cast<Note*>(note);
  n->list->push_back(n->value);
}

inline long live(const char* what) { return hipOnCpuLive(what); }
