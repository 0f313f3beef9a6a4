#pragma once

#include <string>
#include <string_view>

namespace millrace::rtc {

/** A private folder that is removed, with all that is in it, at the end of its scope. */
class TemporaryFolder {
public:
  /** Throws std::system_error where no folder can be made. */
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(std::string_view name) const;

  /** Writes a file, making the folders that its name asks for; answers its full path. */
  std::string write(std::string_view name, std::string_view content) const;

  /** The content of a file; empty where there is none. */
  std::string read(std::string_view name) const;

  const std::string& path() const { return folder; }

private:
  std::string folder;
};

} // namespace millrace::rtc
