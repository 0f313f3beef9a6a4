// One source on its way to a code object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hiprtc_abi.h"
#include "nvrtc.h"
#include "options.h"

struct _hiprtcProgram {
 public:
  _hiprtcProgram(const char* source, const char* name, int count, const char** headers, const char** includeNames);
  ~_hiprtcProgram();
  _hiprtcProgram(const _hiprtcProgram&) = delete;
  _hiprtcProgram& operator=(const _hiprtcProgram&) = delete;

  void expect(const char* expression) { expressions.push_back(expression); }
  hiprtcResult compile(int count, const char* const* options);
  hiprtcResult loweredName(const char* expression, const char** lowered) const;

  bool compiled() const { return program != nullptr; }
  const std::string& log() const { return text; }
  const std::vector<uint8_t>& code() const { return object; }

 private:
  int start(millrace::nvrtcProgram* made, const std::vector<std::string>& options) const;
  std::vector<std::string> optionsFor(const std::vector<std::string>& given) const;
  hiprtcResult pack(const millrace::CompileOptions& options);

  std::string source;
  std::string name;
  std::vector<std::string> headers;
  std::vector<std::string> includeNames;
  std::vector<std::string> expressions;
  millrace::nvrtcProgram program = nullptr;
  std::string text;
  std::vector<uint8_t> object;
};
