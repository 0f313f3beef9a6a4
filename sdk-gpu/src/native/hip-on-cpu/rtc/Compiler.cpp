#include "Compiler.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace millrace::rtc {

namespace {

std::optional<std::string> onPath(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return access(program.c_str(), X_OK) == 0 ? std::optional(program) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = folder + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate))
      return candidate;
  }
  return std::nullopt;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

// Messages in English wherever this runs: callers look for ": error: " in them.
std::vector<std::string> englishEnvironment() {
  std::vector<std::string> result{"LC_ALL=C"};
  for (char** entry = environ; entry && *entry; ++entry)
    if (!std::string_view(*entry).starts_with("LC_ALL=")) result.emplace_back(*entry);
  return result;
}

std::vector<char*> nullTerminated(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

void check(int error, const std::string& what) {
  if (error) throw std::system_error(error, std::generic_category(), what);
}

class Redirection {
public:
  explicit Redirection(const std::string& outputFile) {
    posix_spawn_file_actions_init(&actions);
    check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0), "no input");
    check(posix_spawn_file_actions_addopen(&actions, 1, outputFile.c_str(),
                                           O_WRONLY | O_CREAT | O_TRUNC, 0600),
          "redirect output");
    check(posix_spawn_file_actions_adddup2(&actions, 1, 2), "redirect errors");
  }
  ~Redirection() { posix_spawn_file_actions_destroy(&actions); }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

  posix_spawn_file_actions_t actions;
};

int exitStatus(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) check(errno, "wait for the compiler");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

std::optional<Compiler> Compiler::find() {
  const char* chosen = std::getenv("CXX");
  if (std::vector<std::string> command = words(chosen ? chosen : ""); !command.empty()) {
    if (auto program = onPath(command[0])) {
      command[0] = *program;
      return Compiler(command);
    }
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (auto program = onPath(name)) return Compiler({*program});
  return std::nullopt;
}

int Compiler::run(const std::vector<std::string>& arguments, const std::string& outputFile) const {
  std::vector<std::string> line = command;
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = englishEnvironment();
  Redirection redirection(outputFile);
  pid_t child;
  check(posix_spawn(&child, line[0].c_str(), &redirection.actions, nullptr,
                    nullTerminated(line).data(), nullTerminated(environment).data()),
        "start " + line[0]);
  return exitStatus(child);
}

} // namespace millrace::rtc
