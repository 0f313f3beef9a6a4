#include "nvrtc.h"

#include <dlfcn.h>

#include "cuda_folders.h"

namespace millrace {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

const Nvrtc* load() {
  void* library = openCudaLibrary("libnvrtc.so.13", {"libnvrtc-builtins.so.13.*"});
  static Nvrtc n;
  bool complete = library != nullptr && find(library, "nvrtcVersion", n.nvrtcVersion) &&
                  find(library, "nvrtcCreateProgram", n.nvrtcCreateProgram) &&
                  find(library, "nvrtcDestroyProgram", n.nvrtcDestroyProgram) &&
                  find(library, "nvrtcCompileProgram", n.nvrtcCompileProgram) &&
                  find(library, "nvrtcGetProgramLogSize", n.nvrtcGetProgramLogSize) &&
                  find(library, "nvrtcGetProgramLog", n.nvrtcGetProgramLog) &&
                  find(library, "nvrtcGetPTXSize", n.nvrtcGetPTXSize) &&
                  find(library, "nvrtcGetPTX", n.nvrtcGetPTX) &&
                  find(library, "nvrtcGetCUBINSize", n.nvrtcGetCUBINSize) &&
                  find(library, "nvrtcGetCUBIN", n.nvrtcGetCUBIN) &&
                  find(library, "nvrtcAddNameExpression", n.nvrtcAddNameExpression) &&
                  find(library, "nvrtcGetLoweredName", n.nvrtcGetLoweredName);
  return complete ? &n : nullptr;
}

}  // namespace

const Nvrtc* nvrtc() {
  static const Nvrtc* const loaded = load();
  return loaded;
}

}  // namespace millrace
