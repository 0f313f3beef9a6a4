#include "Program.h"

#include "CppLiteral.h"
#include "KernelTable.h"
#include "Prelude.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace millrace::rtc {

namespace {

using Arguments = std::vector<std::string>;

void append(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

// No source lines under an error: the compiler would look for them in a file of the program's name.
Arguments commonArguments(const CompileOptions& options, const TemporaryFolder& folder) {
  Arguments arguments{"-x", "c++", "-fdiagnostics-color=never", "-fno-diagnostics-show-caret"};
  append(arguments, options.preprocessing);
  append(arguments, {"-I", folder.file("headers")});
  return arguments;
}

// Hidden symbols stay apart: two loaded programs may define functions of one name.
Arguments buildArguments(const CompileOptions& options, const TemporaryFolder& folder) {
  Arguments arguments = commonArguments(options, folder);
  append(arguments, {"-O3", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-exceptions",
                     "-Wl,--no-undefined", "-Wl,--as-needed"});
  append(arguments, options.compilation);
  append(arguments, {"-o", folder.file("code.so"), folder.file("unit.cpp")});
  return arguments;
}

std::string without(std::string text, const std::string& part) {
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

bool identifierCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

// A name of our own: the compiler's mangling is not known before it has run, and nobody has to
// know it, since callers ask for the lowered name.
std::string inventedName(const std::string& expression, std::size_t number) {
  std::string result = "expression" + std::to_string(number) + "_" + expression;
  std::replace_if(result.begin(), result.end(), [](char c) { return !identifierCharacter(c); }, '_');
  return result;
}

} // namespace

Program::Program(std::string source, std::string name, std::vector<Header> headers)
    : source(std::move(source)), name(std::move(name)), headers(std::move(headers)) {}

hiprtcResult Program::addNameExpression(const std::string& expression) {
  std::lock_guard lock(mutex);
  if (compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  lowered.try_emplace(expression);
  return HIPRTC_SUCCESS;
}

hiprtcResult Program::loweredName(const std::string& expression, const char** result) const {
  std::lock_guard lock(mutex);
  if (!compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  auto entry = lowered.find(expression);
  if (entry == lowered.end()) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *result = entry->second.c_str();
  return HIPRTC_SUCCESS;
}

std::string Program::log() const {
  std::lock_guard lock(mutex);
  return messages;
}

std::string Program::code() const {
  std::lock_guard lock(mutex);
  return image;
}

hiprtcResult Program::compile(const CompileOptions& options) {
  std::lock_guard lock(mutex);
  messages.clear();
  image.clear();
  compiled = false;
  if (!options.refusal.empty()) return fail(HIPRTC_ERROR_INVALID_OPTION, options.refusal);
  auto compiler = Compiler::find();
  if (!compiler)
    return fail(HIPRTC_ERROR_COMPILATION,
                "error: hip-on-cpu compiles kernels with the machine's C++ compiler, and neither "
                "$CXX nor c++, g++ or clang++ on $PATH is one\n");
  return compileWith(*compiler, options);
}

hiprtcResult Program::compileWith(const Compiler& compiler, const CompileOptions& options) {
  TemporaryFolder folder;
  writeFiles(folder);
  bool built = preprocess(compiler, options, folder) && build(compiler, options, folder);
  messages = without(messages, folder.path() + "/");
  if (!built) return HIPRTC_ERROR_COMPILATION;
  image = folder.read("code.so");
  compiled = true;
  return HIPRTC_SUCCESS;
}

bool Program::preprocess(const Compiler& compiler, const CompileOptions& options,
                         const TemporaryFolder& folder) {
  folder.write("unit.cpp", unit());
  Arguments arguments = commonArguments(options, folder);
  append(arguments, {"-E", "-DMILLRACE_FIND_KERNELS", "-o", folder.file("unit.ii"),
                     folder.file("unit.cpp")});
  return run(compiler, arguments, folder);
}

bool Program::build(const Compiler& compiler, const CompileOptions& options,
                    const TemporaryFolder& folder) {
  messages.clear(); // the second pass says all that the first one said
  std::vector<FoundKernel> kernels = findKernels(folder.read("unit.ii"));
  nameExpressions(kernels);
  folder.write("unit.cpp", unit() + kernelTable(kernels, lowered));
  if (run(compiler, buildArguments(options, folder), folder)) return true;
  checkAlone(compiler, options, folder);
  return false;
}

// Behind a source that is wrong by itself the table only adds errors that mean nothing to its
// author.
void Program::checkAlone(const Compiler& compiler, const CompileOptions& options,
                         const TemporaryFolder& folder) {
  std::string withTable = std::exchange(messages, "");
  folder.write("unit.cpp", unit());
  Arguments arguments = commonArguments(options, folder);
  append(arguments, {"-fsyntax-only", "-fno-exceptions", folder.file("unit.cpp")});
  if (run(compiler, arguments, folder)) messages = withTable;
}

bool Program::run(const Compiler& compiler, const std::vector<std::string>& arguments,
                  const TemporaryFolder& folder) {
  int status = compiler.run(arguments, folder.file("messages"));
  messages += folder.read("messages");
  if (status != 0 && messages.empty())
    messages = "error: the compiler ended with status " + std::to_string(status) + "\n";
  return status == 0;
}

void Program::writeFiles(const TemporaryFolder& folder) const {
  for (const PreludeFile& file : preludeFiles)
    folder.write("prelude/" + std::string(file.name), file.text);
  // The prelude is there already; these may be included all the same.
  for (const char* standard : {"hip_runtime.h", "hip_fp16.h", "hip_bf16.h", "hip_bfloat16.h"})
    folder.write("headers/hip/" + std::string(standard), "");
  for (const Header& header : headers) folder.write("headers/" + header.name, header.text);
}

std::string Program::unit() const {
  return "#include \"prelude/hip_on_cpu.h\"\n#line 1 " + cppLiteral(name) + "\n" + source + "\n";
}

void Program::nameExpressions(const std::vector<FoundKernel>& kernels) {
  std::size_t number = 0;
  for (auto& [expression, result] : lowered) {
    result = inventedName(expression, number++);
    for (const FoundKernel& kernel : kernels)
      if (expression == kernel.name || expression == "&" + kernel.name) result = kernel.name;
  }
}

hiprtcResult Program::fail(hiprtcResult result, const std::string& why) {
  messages = why;
  return result;
}

} // namespace millrace::rtc
