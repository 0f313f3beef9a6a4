#include <dlfcn.h>

#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "code_object.h"
#include "hiprtc_abi.h"

using namespace selftest;

namespace {

struct Compiled {
  hiprtcResult result = HIPRTC_ERROR_INTERNAL_ERROR;
  std::string log;
  std::vector<uint8_t> code;
  std::string lowered;
};

Compiled compile(const char* source, std::vector<const char*> options, const char* expression = nullptr) {
  Compiled out;
  hiprtcProgram program = nullptr;
  OK(hiprtcCreateProgram(&program, source, "bad.hip", 0, nullptr, nullptr));
  if (program == nullptr) {
    return out;
  }
  if (expression != nullptr) {
    OK(hiprtcAddNameExpression(program, expression));
  }
  out.result = hiprtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  size_t size = 0;
  OK(hiprtcGetProgramLogSize(program, &size));
  std::vector<char> log(size);
  OK(hiprtcGetProgramLog(program, log.data()));
  out.log = log.data();
  if (out.result == HIPRTC_SUCCESS) {
    OK(hiprtcGetCodeSize(program, &size));
    out.code.resize(size);
    OK(hiprtcGetCode(program, reinterpret_cast<char*>(out.code.data())));
    const char* lowered = "";
    if (expression != nullptr) {
      OK(hiprtcGetLoweredName(program, expression, &lowered));
    }
    out.lowered = lowered;
    STATUS(hiprtcAddNameExpression(program, "late"), HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  } else {
    STATUS(hiprtcGetCodeSize(program, &size), HIPRTC_ERROR_INVALID_PROGRAM);
  }
  OK(hiprtcDestroyProgram(&program));
  STATUS(hiprtcDestroyProgram(&program), HIPRTC_ERROR_INVALID_PROGRAM);
  return out;
}

constexpr const char* sm90 = "--offload-arch=sm_90";

constexpr const char* goodSource = R"(#include <hip/hip_runtime.h>
struct P { int a; double b[2]; };
template <class T> __global__ void t(T* x, int n) { x[n] = 1; }
extern "C" __global__ void k(float* x, const _Float16* y, int n, long long m, P p, char c, hip_bfloat16* z) {
  if (n) x[__shfl_down(n, 1)] = m + p.b[0] + c + (float)y[0] + (float)z[0];
}
extern "C" __global__ void e() {}
)";

void checkArgument(const millrace::KernelDescription& kernel, size_t i, uint32_t offset, uint32_t size,
                   const char* kind) {
  CHECK(i < kernel.arguments.size());
  if (i < kernel.arguments.size()) {
    CHECK(kernel.arguments[i].offset == offset);
    CHECK(kernel.arguments[i].size == size);
    CHECK(kernel.arguments[i].kind == kind);
  }
}

}  // namespace

void selftest::testCompiler() {
  int major = 0;
  int minor = 0;
  OK(hiprtcVersion(&major, &minor));
  CHECK(strcmp(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION") == 0);

  Compiled bad = compile("\nextern \"C\" __global__ void bad(float* x) {\n  x[0] = y;\n}\n", {sm90});
  STATUS(bad.result, HIPRTC_ERROR_COMPILATION);
  CHECK(bad.log.find("bad.hip:3:10: error:") != std::string::npos);
  STATUS(compile("__global__ void e() {}", {"--offload-arch=gfx942"}).result, HIPRTC_ERROR_INVALID_OPTION);
  STATUS(compile("__global__ void e() {}", {sm90, "--no-such"}).result, HIPRTC_ERROR_INVALID_OPTION);
  OK(compile("#if N != 3\n#error N\n#endif\n__global__ void e() {}",
             {sm90, "-O3", "-D", "N=3", "-std=c++17", "-ffast-math", "-Wall", "-mllvm", "-x"})
         .result);

  Compiled good = compile(goodSource, {sm90}, "t<double>");
  OK(good.result);
  CHECK(good.lowered == "_Z1tIdEvPT_i");
  if (good.result != HIPRTC_SUCCESS) {
    return note(false, good.log.c_str(), __FILE__, __LINE__);
  }
  CHECK(millrace::isAmdgpuElf(good.code.data()));
  CHECK(millrace::elfSize(good.code.data()) == good.code.size());
  auto read = millrace::readKernels(good.code);
  CHECK(read && read->size() == 3);
  for (auto& kernel : *read) {
    if (kernel.name == "k") {
      CHECK(kernel.symbol == "k.kd");
      CHECK(kernel.argumentBytes == 72);
      checkArgument(kernel, 0, 0, 8, "global_buffer");
      checkArgument(kernel, 1, 8, 8, "global_buffer");
      checkArgument(kernel, 2, 16, 4, "by_value");
      checkArgument(kernel, 3, 24, 8, "by_value");
      checkArgument(kernel, 4, 32, 24, "by_value");
      checkArgument(kernel, 5, 56, 1, "by_value");
      checkArgument(kernel, 6, 64, 8, "global_buffer");
    }
  }
}

// The driver's own idea of the arguments' places.
void selftest::testCompiledCode() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  using GetParamInfo = int (*)(void* function, size_t index, size_t* offset, size_t* size);
  auto info = driver ? reinterpret_cast<GetParamInfo>(dlsym(driver, "cuFuncGetParamInfo")) : nullptr;
  CHECK(info != nullptr);
  size_t wanted[5][2] = {{0, 1}, {8, 8}, {16, 32}, {48, 2}, {52, 4}};
  for (size_t i = 0; info != nullptr && i < 5; i++) {
    size_t offset = 99;
    size_t size = 99;
    OK(info(kernels().many, i, &offset, &size));
    CHECK(offset == wanted[i][0] && size == wanted[i][1]);
  }
}
