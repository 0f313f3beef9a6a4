// Compiles a kernel source into a code object when the stand-ins themselves are built:
// hip-on-cpu-compile SOURCE CODE [OPTION…]
#include "Program.h"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "usage: hip-on-cpu-compile SOURCE CODE [OPTION…]\n";
    return 2;
  }
  std::ostringstream source;
  source << std::ifstream(arguments[1]).rdbuf();
  millrace::rtc::Program program(source.str(), arguments[1], {});
  auto result =
      program.compile(millrace::rtc::CompileOptions::parse(count - 3, arguments + 3));
  std::cerr << program.log();
  if (result != HIPRTC_SUCCESS) return 1;
  std::ofstream(arguments[2], std::ios::binary) << program.code();
  return 0;
}
