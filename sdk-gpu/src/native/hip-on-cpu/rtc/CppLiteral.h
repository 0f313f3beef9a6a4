#pragma once

#include <string>
#include <string_view>

namespace millrace::rtc {

/** The text as a C++ string literal on one line; control characters become blanks. */
inline std::string cppLiteral(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

} // namespace millrace::rtc
