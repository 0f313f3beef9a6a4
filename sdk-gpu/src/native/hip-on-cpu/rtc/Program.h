#pragma once

#include "Compiler.h"
#include "CompileOptions.h"
#include "KernelScanner.h"
#include "TemporaryFolder.h"
#include "hiprtc_abi.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::rtc {

/** A file that a source can include. */
struct Header {
  std::string name;
  std::string text;
};

/** A source, and what became of it. Its functions may be called on any thread. */
class Program {
public:
  Program(std::string source, std::string name, std::vector<Header> headers);

  hiprtcResult addNameExpression(const std::string& expression);
  hiprtcResult compile(const CompileOptions& options);

  /** Valid until the program ends. */
  hiprtcResult loweredName(const std::string& expression, const char** name) const;

  std::string log() const;

  /** Empty until a compilation has succeeded. */
  std::string code() const;

private:
  const std::string source;
  const std::string name;
  const std::vector<Header> headers;
  mutable std::mutex mutex; // for all that follows
  std::map<std::string, std::string> lowered;
  bool compiled = false;
  std::string messages;
  std::string image;

  hiprtcResult compileWith(const Compiler& compiler, const CompileOptions& options);
  bool preprocess(const Compiler& compiler, const CompileOptions& options,
                  const TemporaryFolder& folder);
  bool build(const Compiler& compiler, const CompileOptions& options,
             const TemporaryFolder& folder);
  void checkAlone(const Compiler& compiler, const CompileOptions& options,
                  const TemporaryFolder& folder);
  bool run(const Compiler& compiler, const std::vector<std::string>& arguments,
           const TemporaryFolder& folder);
  void writeFiles(const TemporaryFolder& folder) const;
  std::string unit() const;
  void nameExpressions(const std::vector<FoundKernel>& kernels);
  hiprtcResult fail(hiprtcResult result, const std::string& why);
};

} // namespace millrace::rtc
