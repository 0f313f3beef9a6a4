#pragma once

#include <string>

namespace millrace {

// NVRTC's log as AMD's compiler would write it: "/tmp/…/file:line:column: error: text".
std::string asClangLog(const std::string& log);

}  // namespace millrace
