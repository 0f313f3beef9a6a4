#include <cstring>

#include "check.h"

namespace {

#ifdef LIBRARIES_KEEP_MODULES  // AMD's rocBLAS holds the code objects it has used until the process ends
constexpr const char* kOwned[] = {"streams", "events", "bytes", "graphs", "execs", "registrations"};
#else
constexpr const char* kOwned[] = {"streams", "events", "bytes", "modules", "graphs", "execs", "registrations"};
#endif

void checkNothingIsLeft() {
  for (auto* what : kOwned) {
    if (live(what) != 0) throw Failure{std::string("left over: ") + what + " " + text(live(what))};
  }
}

bool passes(const Test& test) {
  hipOnCpuReset();
  try {
    OK(hipSetDevice(0));
    test.body();
    checkNothingIsLeft();
    return true;
  } catch (const Failure& failure) {
    std::printf("FAILED %s\n  %s\n", test.name, failure.where.c_str());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int failed = 0, ran = 0;
  for (const auto& test : allTests()) {
    if (argc > 1 && std::strcmp(argv[1], test.name) != 0) continue;
    ++ran;
    bool isGood = passes(test);
    failed += !isGood;
    if (!isGood) break;  // what it left behind would fail the next ones
  }
  std::printf("%d tests, %d failed\n", ran, failed);
  return failed != 0 || ran == 0;
}
