#include "cuda_folders.h"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace millrace {
namespace {

void addMatches(std::vector<std::string>& folders, const std::string& pattern) {
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    folders.insert(folders.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
}

std::vector<std::string> foldersNamed(const char* variable, const std::string& toolkit, const std::string& wheel) {
  std::vector<std::string> folders;
  if (const char* given = getenv(variable)) {
    std::istringstream list(given);
    for (std::string folder; std::getline(list, folder, ':');) {
      folders.push_back(folder);
    }
  }
  for (const char* root : {"/usr/local/cuda", "/usr/local/cuda-13*"}) {
    addMatches(folders, root + toolkit);
  }
  for (const char* packages :
       {"/opt/*/.venv/lib/python3*/site-packages", "/opt/*/lib/python3*/site-packages",
        "/usr/local/lib/python3*/dist-packages", "/usr/lib/python3*/dist-packages"}) {
    addMatches(folders, packages + wheel);
  }
  return folders;
}

void* openIn(const std::string& folder, const std::string& name, const std::vector<std::string>& needed) {
  if (access((folder + "/" + name).c_str(), R_OK) != 0) {
    return nullptr;
  }
  std::vector<std::string> before;
  for (const std::string& pattern : needed) {
    addMatches(before, folder + "/" + pattern);
  }
  for (const std::string& file : before) {
    dlopen(file.c_str(), RTLD_NOW);
  }
  return dlopen((folder + "/" + name).c_str(), RTLD_NOW);
}

}  // namespace

void* openCudaLibrary(const std::string& name, const std::vector<std::string>& needed) {
  for (const std::string& folder : foldersNamed("HIP_ON_CUDA_LIBS", "/lib64", "/nvidia/*/lib")) {
    if (void* library = openIn(folder, name, needed)) {
      return library;
    }
  }
  return dlopen(name.c_str(), RTLD_NOW);
}

std::string cudaIncludeFolder() {
  for (const std::string& folder : foldersNamed("HIP_ON_CUDA_INCLUDE", "/include", "/nvidia/*/include")) {
    if (access((folder + "/cuda_fp16.h").c_str(), R_OK) == 0) {
      return folder;
    }
  }
  return "";
}

}  // namespace millrace
