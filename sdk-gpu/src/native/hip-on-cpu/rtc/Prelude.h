#pragma once

#include <string_view>

namespace millrace::rtc {

/** A file of the prelude, which is part of the library. */
struct PreludeFile {
  std::string_view name;
  std::string_view text;
};

inline constexpr PreludeFile preludeFiles[] = {
#include "prelude_files.inc"
};

} // namespace millrace::rtc
