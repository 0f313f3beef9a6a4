#include "cublas.h"

#include <dlfcn.h>

#include "cuda_folders.h"

namespace millrace {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

const Cublas* load() {
  void* library = openCudaLibrary("libcublas.so.13", {"libcublasLt.so.13"});
  static Cublas b;
  bool complete = library != nullptr && find(library, "cublasCreate_v2", b.create) &&
                  find(library, "cublasDestroy_v2", b.destroy) && find(library, "cublasSetStream_v2", b.setStream) &&
                  find(library, "cublasSetPointerMode_v2", b.setPointerMode) &&
                  find(library, "cublasSetAtomicsMode", b.setAtomicsMode) &&
                  find(library, "cublasSetWorkspace_v2", b.setWorkspace) &&
                  find(library, "cublasGetVersion_v2", b.getVersion) && find(library, "cublasGemmEx", b.gemmEx) &&
                  find(library, "cublasGemmStridedBatchedEx", b.gemmStridedBatchedEx);
  return complete ? &b : nullptr;
}

}  // namespace

const Cublas* cublas() {
  static const Cublas* const loaded = load();
  return loaded;
}

}  // namespace millrace
