#include "program.h"

#include "builtin_headers.h"
#include "compile_log.h"
#include "cubin_section.h"
#include "cuda_folders.h"
#include "hip_abi.h"
#include "ptx_kernels.h"

using namespace millrace;

namespace {

// NVRTC's results up to 11 have hipRTC's numbers.
hiprtcResult toHiprtc(int result) {
  return result <= HIPRTC_ERROR_INTERNAL_ERROR ? static_cast<hiprtcResult>(result) : HIPRTC_ERROR_INTERNAL_ERROR;
}

template <class Size, class Get>
std::string textOf(nvrtcProgram program, Size size, Get get) {
  size_t length = 0;
  if (size(program, &length) != 0 || length == 0) {
    return "";
  }
  std::string text(length, 0);
  return get(program, text.data()) == 0 ? text : "";
}

std::string logOf(nvrtcProgram program) {
  std::string log = textOf(program, nvrtc()->nvrtcGetProgramLogSize, nvrtc()->nvrtcGetProgramLog);
  return asClangLog(log.substr(0, log.find('\0')));
}

std::string ptxOf(nvrtcProgram program) {
  return textOf(program, nvrtc()->nvrtcGetPTXSize, nvrtc()->nvrtcGetPTX);
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) {
    out.push_back(text.c_str());
  }
  return out;
}

// As hipRTC: without an architecture, that of the calling thread's device.
int currentArchitecture() {
  int device = 0;
  int major = 0;
  int minor = 0;
  bool known = hipGetDevice(&device) == hipSuccess &&
               hipDeviceGetAttribute(&major, hipDeviceAttributeComputeCapabilityMajor, device) == hipSuccess &&
               hipDeviceGetAttribute(&minor, hipDeviceAttributeComputeCapabilityMinor, device) == hipSuccess;
  return known ? major * 10 + minor : 0;
}

}  // namespace

_hiprtcProgram::_hiprtcProgram(const char* source, const char* name, int count, const char** headers,
                               const char** includeNames)
    : source(source), name(name == nullptr || *name == 0 ? "CompileSource" : name) {
  for (int i = 0; i < count; i++) {
    this->headers.push_back(headers[i]);
    this->includeNames.push_back(includeNames[i]);
  }
  for (const BuiltinHeader& header : builtinHeaders) {
    this->headers.push_back(header.text);
    this->includeNames.push_back(header.name);
  }
}

_hiprtcProgram::~_hiprtcProgram() {
  if (program != nullptr) {
    nvrtc()->nvrtcDestroyProgram(&program);
  }
}

// Compiles the source; the program is made in any case, since the log lies in it.
int _hiprtcProgram::start(nvrtcProgram* made, const std::vector<std::string>& options) const {
  auto texts = pointers(headers);
  auto names = pointers(includeNames);
  int result = nvrtc()->nvrtcCreateProgram(made, source.c_str(), name.c_str(), static_cast<int>(texts.size()),
                                           texts.data(), names.data());
  for (size_t i = 0; result == 0 && i < expressions.size(); i++) {
    result = nvrtc()->nvrtcAddNameExpression(*made, expressions[i].c_str());
  }
  auto words = pointers(options);
  return result != 0 ? result : nvrtc()->nvrtcCompileProgram(*made, static_cast<int>(words.size()), words.data());
}

// AMD's compiler has the 16-bit types built in; here they are headers, included only where the source names them,
// because they take longer to read than most kernels take to compile.
std::vector<std::string> _hiprtcProgram::optionsFor(const std::vector<std::string>& given) const {
  std::vector<std::string> options = given;
  options.push_back("--pre-include=hip/hip_runtime.h");
  if (source.find("_Float16") != std::string::npos || source.find("__half") != std::string::npos) {
    options.push_back("--pre-include=hip/hip_fp16.h");
  }
  if (source.find("bfloat16") != std::string::npos || source.find("__bf16") != std::string::npos) {
    options.push_back("--pre-include=hip/hip_bf16.h");
  }
  if (std::string folder = cudaIncludeFolder(); !folder.empty()) {
    options.push_back("--include-path=" + folder);
  }
  return options;
}

hiprtcResult _hiprtcProgram::compile(int count, const char* const* given) {
  CompileOptions options = translate(count, given);
  if (!options.refused.empty()) {
    text = "error: unknown argument: '" + options.refused + "'\n";
    return HIPRTC_ERROR_INVALID_OPTION;
  }
  if (options.architecture == 0) {
    options.architecture = currentArchitecture();
    options.nvrtc.push_back("--gpu-architecture=sm_" + std::to_string(options.architecture));
  }
  if (options.architecture == 0) {
    text = "error: no GPU and no --offload-arch=sm_NN\n";
    return HIPRTC_ERROR_INVALID_OPTION;
  }
  if (program != nullptr) {
    nvrtc()->nvrtcDestroyProgram(&program);
  }
  int result = start(&program, optionsFor(options.nvrtc));
  text = program == nullptr ? "" : logOf(program);
  return result == 0 ? pack(options) : toHiprtc(result);
}

// Only PTX for architecture 100 and newer says which arguments are pointers, so for an older one the source is compiled
// once more, to PTX.
hiprtcResult _hiprtcProgram::pack(const CompileOptions& options) {
  std::vector<KernelDescription> kernels = kernelsOf(ptxOf(program));
  if (options.architecture < 100) {
    std::vector<std::string> again;
    for (const std::string& option : options.nvrtc) {
      bool architecture = option.rfind("--gpu-architecture=", 0) == 0;
      again.push_back(architecture ? "--gpu-architecture=compute_100" : option);
    }
    nvrtcProgram newer = nullptr;
    if (start(&newer, optionsFor(again)) == 0) {
      markPointers(kernels, kernelsOf(ptxOf(newer)));
    }
    if (newer != nullptr) {
      nvrtc()->nvrtcDestroyProgram(&newer);
    }
  }
  std::string cubin = textOf(program, nvrtc()->nvrtcGetCUBINSize, nvrtc()->nvrtcGetCUBIN);
  if (cubin.empty()) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  auto note = kernelNote(kernels);
  object = wrapCubin(note, {reinterpret_cast<const uint8_t*>(cubin.data()), cubin.size()});
  return HIPRTC_SUCCESS;
}

hiprtcResult _hiprtcProgram::loweredName(const char* expression, const char** lowered) const {
  return toHiprtc(nvrtc()->nvrtcGetLoweredName(program, expression, lowered));
}
