#include "options.h"

#include <cstdlib>
#include <string_view>

namespace millrace {
namespace {

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// What changes nothing that matters here: NVRTC has no such switch, or does it anyway.
bool meaningless(std::string_view option) {
  for (std::string_view prefix : {"-O", "-W", "-fno-fast-math", "-mcumode", "-mwavefrontsize64", "-munsafe-fp-atomics",
                                  "-mno-wavefrontsize64", "-fno-gpu-rdc", "--hip-version", "-x", "-Xclang",
                                  "-fgpu-flush-denormals-to-zero", "-save-temps", "-amdgpu"}) {
    if (startsWith(option, prefix)) {
      return true;
    }
  }
  return option.empty() || option == "hip";
}

void setArchitecture(CompileOptions& out, std::string_view architecture) {
  if (!startsWith(architecture, "sm_")) {
    out.refused = std::string("--offload-arch=") + std::string(architecture);
    return;
  }
  out.architecture = atoi(architecture.data() + 3);
  out.nvrtc.push_back("--gpu-architecture=" + std::string(architecture));
}

void add(CompileOptions& out, const std::string& option) {
  std::string_view text = option;
  if (startsWith(text, "--offload-arch=") || startsWith(text, "--gpu-architecture=")) {
    setArchitecture(out, text.substr(text.find('=') + 1));
  } else if (startsWith(text, "-std=")) {
    out.nvrtc.push_back("-" + option);
  } else if (startsWith(text, "-D") || startsWith(text, "-U") || startsWith(text, "-I") || startsWith(text, "--std=")) {
    out.nvrtc.push_back(option);
  } else if (text == "-ffast-math") {
    out.nvrtc.push_back("--use_fast_math");
  } else if (text == "-ffp-contract=off") {
    out.nvrtc.push_back("--fmad=false");
  } else if (startsWith(text, "-ffp-contract=")) {
    out.nvrtc.push_back("--fmad=true");
  } else if (startsWith(text, "-g")) {
    out.nvrtc.push_back("--generate-line-info");
  } else if (!meaningless(text)) {
    out.refused = option;
  }
}

}  // namespace

CompileOptions translate(int count, const char* const* options) {
  CompileOptions out;
  for (int i = 0; i < count && out.refused.empty(); i++) {
    std::string_view option = options[i] == nullptr ? "" : options[i];
    if (option == "-mllvm") {
      i++;  // and its argument
    } else if ((option == "-D" || option == "-I" || option == "-U") && i + 1 < count) {
      add(out, std::string(option) + options[++i]);
    } else {
      add(out, std::string(option));
    }
  }
  return out;
}

}  // namespace millrace
