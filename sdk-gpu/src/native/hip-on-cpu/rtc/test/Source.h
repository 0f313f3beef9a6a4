// A program of hipRTC and what became of it, for as long as this lives.
#pragma once

#include "hiprtc_abi.h"

#include "check.h"

#include <string>
#include <vector>

class Source {
public:
  explicit Source(const std::string& content, std::vector<const char*> names = {},
                  std::vector<const char*> texts = {}) {
    CHECK_EQUAL(hiprtcCreateProgram(&program, content.c_str(), "test.hip",
                                    static_cast<int>(names.size()), texts.data(), names.data()),
                HIPRTC_SUCCESS);
  }
  ~Source() { (void)hiprtcDestroyProgram(&program); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  hiprtcResult compile(std::vector<const char*> options = {}) {
    return hiprtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  }

  std::string log() const {
    size_t size = 0;
    CHECK_EQUAL(hiprtcGetProgramLogSize(program, &size), HIPRTC_SUCCESS);
    std::string content(size, '\0');
    CHECK_EQUAL(hiprtcGetProgramLog(program, content.data()), HIPRTC_SUCCESS);
    content.pop_back(); // the terminating null is counted
    return content;
  }

  bool logHas(const std::string& part) const { return log().find(part) != std::string::npos; }

  std::vector<uint8_t> code() const {
    size_t size = 0;
    CHECK_EQUAL(hiprtcGetCodeSize(program, &size), HIPRTC_SUCCESS);
    std::vector<uint8_t> bytes(size);
    CHECK_EQUAL(hiprtcGetCode(program, reinterpret_cast<char*>(bytes.data())), HIPRTC_SUCCESS);
    return bytes;
  }

  hiprtcProgram program = nullptr;
};
