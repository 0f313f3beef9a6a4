#include "CompileOptions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <string_view>

namespace millrace::rtc {

namespace {

using std::string;
using std::string_view;

// "-Ofast" is not among them: it changes how the whole process rounds (subnormals become 0).
constexpr std::array optimisations{"-O0", "-O1", "-O2", "-O3", "-Os"};
constexpr std::array others{"-g", "-w", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
                            "-ffp-contract=on", "-ffp-contract=fast"};
constexpr std::array versions{"11", "14", "17", "20", "23"};

std::optional<string_view> after(string_view option, string_view prefix) {
  if (!option.starts_with(prefix)) return std::nullopt;
  return option.substr(prefix.size());
}

template <class List> bool contains(const List& list, string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

class Parser {
public:
  Parser(int count, const char* const* options) : given(options, options + count) {}

  CompileOptions parse() {
    while (at < given.size() && result.refusal.empty()) take(given[at++]);
    result.preprocessing.push_back("-std=" + version);
    return result;
  }

private:
  std::vector<const char*> given;
  std::size_t at = 0;
  string version = "c++17";
  CompileOptions result;

  void take(string_view option) {
    if (takeWithValue(option, "-D", "a macro") || takeWithValue(option, "-U", "a macro") ||
        takeWithValue(option, "-I", "a folder"))
      return;
    if (contains(optimisations, option) || contains(others, option))
      result.compilation.emplace_back(option);
    else if (auto name = after(option, "--std=")) takeVersion(option, *name);
    else if (auto shortName = after(option, "-std=")) takeVersion(option, *shortName);
    else if (auto architecture = after(option, "--offload-arch=")) check(option, *architecture);
    else if (auto device = after(option, "--gpu-architecture=")) check(option, *device);
    else refuse(option, "unknown to hip-on-cpu");
  }

  bool takeWithValue(string_view option, string_view name, string_view what) {
    auto value = after(option, name);
    if (!value) return false;
    if (value->empty()) {
      if (at == given.size()) return refuse(option, "needs " + string(what) + " after it"), true;
      value = given[at++];
    }
    result.preprocessing.push_back(string(name) + string(*value));
    return true;
  }

  // The prelude is C++17. A source that asks for less gets what it needs, and some things more.
  void takeVersion(string_view option, string_view name) {
    string_view dialect = name.starts_with("gnu++") ? "gnu++" : "c++";
    auto number = after(name, dialect);
    if (!number || !contains(versions, *number)) return refuse(option, "no C++ version");
    version = string(dialect) + string(*number < "17" ? "17" : *number);
  }

  void check(string_view option, string_view architecture) {
    static const std::regex form("gfx[0-9a-f]{3,4}(:(sramecc|xnack)[+-])*|native|host");
    if (!std::regex_match(architecture.begin(), architecture.end(), form))
      refuse(option, "no architecture");
  }

  void refuse(string_view option, string_view why) {
    result.refusal = "error: option '" + string(option) + "': " + string(why) + "\n";
  }
};

} // namespace

CompileOptions CompileOptions::parse(int count, const char* const* options) {
  return Parser(count, options).parse();
}

} // namespace millrace::rtc
