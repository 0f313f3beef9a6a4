// NVRTC's C interface as far as hipRTC needs it.
#pragma once

#include <string>
#include <vector>

namespace millrace {

using nvrtcProgram = struct NvrtcProgram*;

struct Nvrtc {
  int (*nvrtcVersion)(int* major, int* minor);
  int (*nvrtcCreateProgram)(nvrtcProgram* program, const char* source, const char* name, int count,
                            const char* const* headers, const char* const* includeNames);
  int (*nvrtcDestroyProgram)(nvrtcProgram* program);
  int (*nvrtcCompileProgram)(nvrtcProgram program, int count, const char* const* options);
  int (*nvrtcGetProgramLogSize)(nvrtcProgram program, size_t* size);
  int (*nvrtcGetProgramLog)(nvrtcProgram program, char* log);
  int (*nvrtcGetPTXSize)(nvrtcProgram program, size_t* size);
  int (*nvrtcGetPTX)(nvrtcProgram program, char* ptx);
  int (*nvrtcGetCUBINSize)(nvrtcProgram program, size_t* size);
  int (*nvrtcGetCUBIN)(nvrtcProgram program, char* cubin);
  int (*nvrtcAddNameExpression)(nvrtcProgram program, const char* expression);
  int (*nvrtcGetLoweredName)(nvrtcProgram program, const char* expression, const char** lowered);
};

// Null if NVRTC is nowhere to be found.
const Nvrtc* nvrtc();

}  // namespace millrace
