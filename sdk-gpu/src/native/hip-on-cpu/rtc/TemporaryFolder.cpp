#include "TemporaryFolder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace millrace::rtc {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder()
    : folder((fs::temp_directory_path() / "hip-on-cpu-XXXXXX").string()) {
  if (!mkdtemp(folder.data()))
    throw std::system_error(errno, std::generic_category(), "make folder " + folder);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored; // nothing more can be done about a file that stays
  fs::remove_all(folder, ignored);
}

std::string TemporaryFolder::file(std::string_view name) const {
  return folder + "/" + std::string(name);
}

std::string TemporaryFolder::write(std::string_view name, std::string_view content) const {
  std::string target = file(name);
  fs::create_directories(fs::path(target).parent_path());
  std::ofstream out(target, std::ios::binary);
  out.exceptions(std::ios::badbit | std::ios::failbit);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  return target;
}

std::string TemporaryFolder::read(std::string_view name) const {
  std::ifstream in(file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace millrace::rtc
