#include "compile_log.h"

#include <regex>
#include <sstream>
#include <vector>

namespace millrace {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

// NVRTC shows the source line, indented by two, and under it a caret: the only place where the column stands.
size_t columnAfter(const std::vector<std::string>& lines, size_t message) {
  for (size_t i = message + 1; i < lines.size() && !lines[i].empty(); i++) {
    size_t caret = lines[i].find_first_not_of(" \t");
    if (caret != std::string::npos && lines[i][caret] == '^' && caret + 1 == lines[i].size()) {
      return caret >= 2 ? caret - 1 : 1;
    }
  }
  return 1;
}

}  // namespace

std::string asClangLog(const std::string& log) {
  static const std::regex message(
      R"(^(\S.*)\((\d+)\): (error|warning|note|remark|catastrophic error)( #[\w-]+)?: (.*)$)");
  static const std::regex sum(R"(^(\d+) (errors?) detected in the compilation of .*$)");
  std::vector<std::string> lines = linesOf(log);
  std::string out;
  for (size_t i = 0; i < lines.size(); i++) {
    std::smatch part;
    if (std::regex_match(lines[i], part, message)) {
      std::string kind = part[3] == "catastrophic error" ? "fatal error" : part[3] == "remark" ? "note" : part[3].str();
      out += "/tmp/hip-on-cuda/input/" + part[1].str() + ":" + part[2].str() + ":" +
             std::to_string(columnAfter(lines, i)) + ": " + kind + ": " + part[5].str() + "\n";
    } else if (std::regex_match(lines[i], part, sum)) {
      out += part[1].str() + " " + part[2].str() + " generated.\n";
    } else if (!lines[i].empty()) {
      out += lines[i] + "\n";
    }
  }
  return out;
}

}  // namespace millrace
