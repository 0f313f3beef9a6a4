#pragma once

#include <string>
#include <vector>

namespace millrace::rtc {

/** hipRTC's options, as arguments for a C++ compiler, or why they are refused. */
struct CompileOptions {
  /** For both passes: macros, include folders, the language's version. */
  std::vector<std::string> preprocessing;
  /** For the second pass only. */
  std::vector<std::string> compilation;
  /** Empty where every option is known. */
  std::string refusal;

  static CompileOptions parse(int count, const char* const* options);
};

} // namespace millrace::rtc
