#pragma once

#include <optional>
#include <string>
#include <vector>

namespace millrace {

struct CompileOptions {
  std::vector<std::string> nvrtc;
  int architecture = 0;  // 90 of sm_90; 0: not given
  std::string refused;   // the option that has no counterpart, or ""
};

// Options of AMD's compiler in NVRTC's words.
CompileOptions translate(int count, const char* const* options);

}  // namespace millrace
