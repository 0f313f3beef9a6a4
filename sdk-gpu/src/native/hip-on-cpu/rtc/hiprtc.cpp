// The eleven functions of libhiprtc.
#include "hiprtc_abi.h"

#include "LiveHandles.h"
#include "Program.h"
#include "library_call.h"

#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

namespace {

using millrace::rtc::CompileOptions;
using millrace::rtc::Header;
using millrace::rtc::Program;

using Programs = millrace::LiveHandles<hiprtcProgram, Program>;

// C callers get a status, whatever is thrown underneath.
template <class Body> hiprtcResult guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

template <class Body> hiprtcResult withProgram(hiprtcProgram handle, Body body) {
  return guarded([&] {
    auto program = Programs::instance().find(handle);
    return program ? body(*program) : HIPRTC_ERROR_INVALID_PROGRAM;
  });
}

bool staysInside(const char* name) {
  std::filesystem::path path(name);
  if (path.empty() || path.is_absolute()) return false;
  for (const auto& part : path)
    if (part == "..") return false;
  return true;
}

hiprtcResult create(hiprtcProgram* result, const char* source, const char* name, int count,
                    const char** texts, const char** names) {
  std::vector<Header> headers;
  for (int i = 0; i < count; ++i) {
    if (!texts[i] || !names[i] || !staysInside(names[i])) return HIPRTC_ERROR_INVALID_INPUT;
    headers.push_back({names[i], texts[i]});
  }
  std::string shown = name && *name ? name : "program.hip";
  *result = Programs::instance().add(std::make_shared<Program>(source, shown, std::move(headers)));
  return HIPRTC_SUCCESS;
}

bool anyNull(int count, const char* const* strings) {
  for (int i = 0; i < count; ++i)
    if (!strings[i]) return true;
  return false;
}

} // namespace

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
  case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
    return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
  case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
  case HIPRTC_ERROR_INTERNAL_ERROR: return "HIPRTC_ERROR_INTERNAL_ERROR";
  case HIPRTC_ERROR_LINKING: return "HIPRTC_ERROR_LINKING";
  }
  return "HIPRTC_ERROR_UNKNOWN";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = 9; // as the real library of HIP 6.4 answers
  *minor = 0;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char* name,
                                 int numHeaders, const char** headers, const char** includeNames) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!prog || !src || numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames)))
    return HIPRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return create(prog, src, name, numHeaders, headers, includeNames); });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!prog) return HIPRTC_ERROR_INVALID_INPUT;
  if (!Programs::instance().remove(*prog)) return HIPRTC_ERROR_INVALID_PROGRAM;
  *prog = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char* name_expression) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!name_expression) return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program& p) { return p.addNameExpression(name_expression); });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char** options) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (numOptions < 0 || (numOptions > 0 && (!options || anyNull(numOptions, options))))
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(
      prog, [&](Program& p) { return p.compile(CompileOptions::parse(numOptions, options)); });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char* name_expression,
                                  const char** lowered_name) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!name_expression || !lowered_name) return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog,
                     [&](Program& p) { return p.loweredName(name_expression, lowered_name); });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t* logSizeRet) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!logSizeRet) return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program& p) {
    *logSizeRet = p.log().size() + 1;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char* log) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!log) return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program& p) {
    std::string text = p.log();
    std::memcpy(log, text.c_str(), text.size() + 1);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t* codeSizeRet) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!codeSizeRet) return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program& p) {
    *codeSizeRet = p.code().size();
    return *codeSizeRet ? HIPRTC_SUCCESS : HIPRTC_ERROR_INVALID_PROGRAM;
  });
}

hiprtcResult hiprtcGetCode(hiprtcProgram prog, char* code) {
  MILLRACE_LIBRARY_CALL(hiprtcResult);
  if (!code) return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program& p) {
    std::string image = p.code();
    std::memcpy(code, image.data(), image.size());
    return image.empty() ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_SUCCESS;
  });
}
