// What hipRTC answers: options, errors, names, headers.
#include "Source.h"

#include <cstdlib>
#include <cstring>

namespace {

constexpr char empty[] = "extern \"C\" __global__ void nothing() {}";

class Environment {
public:
  Environment(const char* name, const char* value) : name(name) {
    if (const char* old = std::getenv(name)) before = old, wasSet = true;
    setenv(name, value, 1);
  }
  ~Environment() { wasSet ? setenv(name, before.c_str(), 1) : unsetenv(name); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

private:
  const char* name;
  std::string before;
  bool wasSet = false;
};

} // namespace

TEST(errorsAreAtTheAuthorsLineAndColumn) {
  Source source("extern \"C\" __global__ void f(float* x) {\n  x[0] = missing;\n}\n");
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("test.hip:2:10: error: 'missing' was not declared"));
  size_t size;
  CHECK_EQUAL(hiprtcGetCodeSize(source.program, &size), HIPRTC_ERROR_INVALID_PROGRAM);
}

TEST(unbalancedSourceIsReportedAlone) {
  Source source("extern \"C\" __global__ void f() {\n");
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("test.hip:"));
  CHECK(!source.logHas("kernel"));
}

TEST(whatNeedsThreadsTogetherIsRefusedAtItsLine) {
  Source source("extern \"C\" __global__ void f(float* x) {\n"
                "  __shared__ float tile[64];\n"
                "  if (x) __syncthreads();\n"
                "  x[0] = __shfl_down(x[1], 1);\n}\n");
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("test.hip:2:11: error: hip-on-cpu has no __shared__ memory"));
  CHECK(source.logHas("test.hip:3:11: error: hip-on-cpu has no __syncthreads"));
  CHECK(source.logHas("test.hip:4:11: error: hip-on-cpu has no warp functions"));
}

TEST(aKernelReturnsVoid) {
  Source source("extern \"C\" __global__ int f() { return 1; }");
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("a __global__ function returns void"));
}

TEST(aFunctionThatIsNowhereDefinedIsAnError) {
  Source source("__device__ float f();\nextern \"C\" __global__ void g(float* x) { *x = f(); }");
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("f()"));
}

TEST(warningsAreInTheLogOfASuccess) {
  Source source("#warning look here\nextern \"C\" __global__ void f() {}");
  CHECK_EQUAL(source.compile(), HIPRTC_SUCCESS);
  CHECK(source.logHas("test.hip:1:2: warning: #warning look here"));
  CHECK_EQUAL(source.compile({"-Werror"}), HIPRTC_ERROR_COMPILATION);
}

TEST(optionsReachTheCompiler) {
  Source source("#if !defined(A) || B != 3 || __cplusplus < 202000L\n#error options\n#endif\n"
                "extern \"C\" __global__ void f() {}");
  CHECK_EQUAL(source.compile({"-DA", "-D", "B=3", "-std=c++20", "-O1", "--offload-arch=gfx90a:sramecc+:xnack-"}),
              HIPRTC_SUCCESS);
  CHECK_EQUAL(source.compile({"-DA"}), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("test.hip:2:2: error: #error options"));
}

TEST(unknownOptionsAreRefusedByName) {
  Source source(empty);
  for (const char* option : {"-fplugin=x.so", "--gpu-architecture=sm_90", "-std=c++9", "-o", "-D", "--offload-arch=", "x"}) {
    CHECK_EQUAL(source.compile({option}), HIPRTC_ERROR_INVALID_OPTION);
    CHECK(source.logHas(std::string("option '") + option + "'"));
  }
}

TEST(headersAreIncludedUnderTheirNames) {
  Source source("#include \"deep/value.h\"\n#include <other.h>\n"
                "extern \"C\" __global__ void f(int* x) { *x = VALUE + other; }",
                {"deep/value.h", "other.h"}, {"#define VALUE 1\n", "constexpr int other = 2;"});
  CHECK_EQUAL(source.compile(), HIPRTC_SUCCESS);
}

TEST(headersStayInsideTheirFolder) {
  hiprtcProgram program;
  const char* content = "";
  for (const char* name : {"../x.h", "/tmp/x.h", "", "a/../../x.h"})
    CHECK_EQUAL(hiprtcCreateProgram(&program, empty, "x", 1, &content, &name), HIPRTC_ERROR_INVALID_INPUT);
}

TEST(nameExpressionsGetLoweredNames) {
  Source source("template <class T> __global__ void twice(T* x) { *x *= 2; }\n"
                "extern \"C\" __global__ void plain() {}\n"
                "namespace n { __global__ void mangled(int) {} }");
  for (const char* name : {"twice<float>", "plain", "n::mangled"})
    CHECK_EQUAL(hiprtcAddNameExpression(source.program, name), HIPRTC_SUCCESS);
  const char* lowered;
  CHECK_EQUAL(hiprtcGetLoweredName(source.program, "plain", &lowered),
              HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  CHECK_EQUAL(source.compile(), HIPRTC_SUCCESS);
  CHECK_EQUAL(hiprtcGetLoweredName(source.program, "plain", &lowered), HIPRTC_SUCCESS);
  CHECK(std::string(lowered) == "plain");
  CHECK_EQUAL(hiprtcGetLoweredName(source.program, "twice<float>", &lowered), HIPRTC_SUCCESS);
  CHECK_EQUAL(hiprtcGetLoweredName(source.program, "twice<int>", &lowered),
              HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  CHECK_EQUAL(hiprtcAddNameExpression(source.program, "late"),
              HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
}

TEST(aWrongNameExpressionIsNamedInTheLog) {
  Source source(empty);
  CHECK_EQUAL(hiprtcAddNameExpression(source.program, "absent<int>"), HIPRTC_SUCCESS);
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("name expression absent<int>:1:"));
}

TEST(withoutACompilerTheLogSaysSo) {
  Environment path("PATH", "/nowhere"), compiler("CXX", "absent-compiler");
  Source source(empty);
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_COMPILATION);
  CHECK(source.logHas("neither $CXX nor c++, g++ or clang++ on $PATH is one"));
}

TEST(destroyedAndForeignProgramsAreRefused) {
  hiprtcProgram program;
  CHECK_EQUAL(hiprtcCreateProgram(&program, empty, nullptr, 0, nullptr, nullptr), HIPRTC_SUCCESS);
  hiprtcProgram copy = program;
  CHECK_EQUAL(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
  CHECK(program == nullptr);
  CHECK_EQUAL(hiprtcDestroyProgram(&copy), HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQUAL(hiprtcCompileProgram(copy, 0, nullptr), HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQUAL(hiprtcCompileProgram(nullptr, 0, nullptr), HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQUAL(hiprtcCreateProgram(&program, nullptr, "x", 0, nullptr, nullptr), HIPRTC_ERROR_INVALID_INPUT);
}

TEST(plannedFailuresStrike) {
  hipOnCpuReset();
  hipOnCpuFail("hiprtcCompileProgram", 1, HIPRTC_ERROR_INTERNAL_ERROR);
  Source source(empty);
  CHECK_EQUAL(source.compile(), HIPRTC_ERROR_INTERNAL_ERROR);
  CHECK_EQUAL(source.compile(), HIPRTC_SUCCESS);
  CHECK_EQUAL(hipOnCpuCalls("hiprtcCompileProgram"), 2);
}
