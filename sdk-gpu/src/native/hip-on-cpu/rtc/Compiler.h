#pragma once

#include <optional>
#include <string>
#include <vector>

namespace millrace::rtc {

/** The machine's own C++ compiler. */
class Compiler {
public:
  /** $CXX, which may carry arguments, else the first of c++, g++ and clang++ on $PATH. */
  static std::optional<Compiler> find();

  /**
   * Runs the compiler and waits for it; both of its outputs go to that file. Answers its exit
   * status. Throws std::system_error where it cannot be started.
   */
  int run(const std::vector<std::string>& arguments, const std::string& outputFile) const;

private:
  explicit Compiler(std::vector<std::string> command) : command(std::move(command)) {}

  std::vector<std::string> command;
};

} // namespace millrace::rtc
