// hipRTC over NVRTC.
#include <cstdio>
#include <cstring>
#include <new>

#include "hip_on_cpu.h"
#include "program.h"

using namespace millrace;

namespace {

void* const noStream = reinterpret_cast<void*>(-1);  // for the log

template <class Body>
[[gnu::always_inline]] inline hiprtcResult call(const char* function, Body body) {
  if (int planned = hipOnCpuEnter(function, noStream, __builtin_return_address(0))) {
    return static_cast<hiprtcResult>(planned);
  }
  return body();
}

}  // namespace

const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS: return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY: return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE: return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT: return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM: return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION: return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION: return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE: return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
      return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case HIPRTC_ERROR_LINKING: return "HIPRTC_ERROR_LINKING";
    default: return "HIPRTC_ERROR_INTERNAL_ERROR";
  }
}

// The version of HIP's compiler that is imitated.
hiprtcResult hiprtcVersion(int* major, int* minor) {
  return call("hiprtcVersion", [&]() -> hiprtcResult {
    if (major == nullptr || minor == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    *major = 9;
    *minor = 0;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int count,
                                 const char** headers, const char** includeNames) {
  return call("hiprtcCreateProgram", [&]() -> hiprtcResult {
    if (program == nullptr || source == nullptr || *source == 0) {
      return HIPRTC_ERROR_INVALID_PROGRAM;
    }
    if (count < 0 || (count > 0 && (headers == nullptr || includeNames == nullptr))) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    if (nvrtc() == nullptr) {
      fprintf(stderr, "hip-on-cuda: no libnvrtc.so.13 in HIP_ON_CUDA_LIBS, /usr/local/cuda or a Python wheel\n");
      return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
    }
    *program = new (std::nothrow) _hiprtcProgram(source, name, count, headers, includeNames);
    return *program == nullptr ? HIPRTC_ERROR_OUT_OF_MEMORY : HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  return call("hiprtcDestroyProgram", [&]() -> hiprtcResult {
    if (program == nullptr || *program == nullptr) {
      return HIPRTC_ERROR_INVALID_PROGRAM;
    }
    delete *program;
    *program = nullptr;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression) {
  return call("hiprtcAddNameExpression", [&]() -> hiprtcResult {
    if (program == nullptr) {
      return HIPRTC_ERROR_INVALID_PROGRAM;
    }
    if (expression == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    if (program->compiled()) {
      return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    }
    program->expect(expression);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char** options) {
  return call("hiprtcCompileProgram", [&]() -> hiprtcResult {
    if (program == nullptr) {
      return HIPRTC_ERROR_INVALID_PROGRAM;
    }
    return count < 0 || (count > 0 && options == nullptr) ? HIPRTC_ERROR_INVALID_INPUT
                                                          : program->compile(count, options);
  });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** lowered) {
  return call("hiprtcGetLoweredName", [&]() -> hiprtcResult {
    if (program == nullptr) {
      return HIPRTC_ERROR_INVALID_PROGRAM;
    }
    if (expression == nullptr || lowered == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    return program->compiled() ? program->loweredName(expression, lowered)
                               : HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* size) {
  return call("hiprtcGetProgramLogSize", [&]() -> hiprtcResult {
    if (program == nullptr || size == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    *size = program->log().size() + 1;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) {
  return call("hiprtcGetProgramLog", [&]() -> hiprtcResult {
    if (program == nullptr || log == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    memcpy(log, program->log().c_str(), program->log().size() + 1);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* size) {
  return call("hiprtcGetCodeSize", [&]() -> hiprtcResult {
    if (program == nullptr || size == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    *size = program->code().size();
    return *size == 0 ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) {
  return call("hiprtcGetCode", [&]() -> hiprtcResult {
    if (program == nullptr || code == nullptr) {
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    memcpy(code, program->code().data(), program->code().size());
    return program->code().empty() ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_SUCCESS;
  });
}
