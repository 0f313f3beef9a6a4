// rocBLAS's handle over cuBLAS's.
#include <cstdio>
#include <cstring>
#include <new>

#include "rocblas_handle.h"

using namespace millrace;

namespace {

rocblas_status create(rocblas_handle* handle) {
  if (handle == nullptr) {
    return rocblas_status_invalid_handle;
  }
  if (cublas() == nullptr) {
    fprintf(stderr, "hip-on-cuda: no libcublas.so.13 in HIP_ON_CUDA_LIBS, /usr/local/cuda or a Python wheel\n");
    return rocblas_status_internal_error;
  }
  auto* made = new (std::nothrow) _rocblas_handle;
  if (made == nullptr) {
    return rocblas_status_memory_error;
  }
  rocblas_status status = toRocblas(cublas()->create(&made->cublas));
  if (status != rocblas_status_success) {
    delete made;
    return status;
  }
  cublas()->setAtomicsMode(made->cublas, rocblas_atomics_allowed);  // rocBLAS's default, not cuBLAS's
  *handle = made;
  return rocblas_status_success;
}

// rocBLAS asks both streams whether they are capturing, and the new one whether it is alive.
rocblas_status move(rocblas_handle handle, hipStream_t stream) {
  hipStreamCaptureStatus capturing;
  bool alive = hipStreamIsCapturing(stream, &capturing) == hipSuccess &&
               hipStreamIsCapturing(handle->stream, &capturing) == hipSuccess;
  hipError_t query = alive ? hipStreamQuery(stream) : hipErrorContextIsDestroyed;
  if (query == hipErrorContextIsDestroyed) {
    return rocblas_status_internal_error;
  }
  rocblas_status status = toRocblas(cublas()->setStream(handle->cublas, stream));
  if (status == rocblas_status_success) {
    handle->stream = stream;
    if (handle->workspace != nullptr) {
      status = toRocblas(cublas()->setWorkspace(handle->cublas, handle->workspace, handle->workspaceBytes));
    }
  }
  return status;
}

rocblas_status setWorkspace(rocblas_handle handle, void* workspace, size_t size) {
  handle->workspace = size == 0 ? nullptr : workspace;
  handle->workspaceBytes = size;
  // Setting the stream gives cuBLAS its own workspace back.
  return handle->workspace == nullptr ? toRocblas(cublas()->setStream(handle->cublas, handle->stream))
                                      : toRocblas(cublas()->setWorkspace(handle->cublas, workspace, size));
}

const char* versionText() {
  static char text[64];
  int version = 0;
  if (cublas() != nullptr) {
    cublas()->getVersion(nullptr, &version);
  }
  snprintf(text, sizeof text, "4.4.0.cublas.%d", version);
  return text;
}

}  // namespace

rocblas_status millrace::toRocblas(int cublasStatus) {
  switch (cublasStatus) {
    case 0: return rocblas_status_success;
    case 1: return rocblas_status_invalid_handle;
    case 3: return rocblas_status_memory_error;
    case 7: return rocblas_status_invalid_value;
    case 8: return rocblas_status_arch_mismatch;
    case 15: return rocblas_status_not_implemented;
    default: return rocblas_status_internal_error;
  }
}

rocblas_status rocblas_create_handle(rocblas_handle* handle) {
  return rocblasCall("rocblas_create_handle", noStream, [&] { return create(handle); });
}

rocblas_status rocblas_destroy_handle(rocblas_handle handle) {
  return rocblasCall("rocblas_destroy_handle", noStream, [&]() -> rocblas_status {
    if (handle == nullptr) {
      return rocblas_status_invalid_handle;
    }
    rocblas_status status = toRocblas(cublas()->destroy(handle->cublas));
    delete handle;
    return status;
  });
}

rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream) {
  return rocblasCall("rocblas_set_stream", stream, [&]() -> rocblas_status {
    if (handle == nullptr) {
      return rocblas_status_invalid_handle;
    }
    return stream == handle->stream ? rocblas_status_success : move(handle, stream);
  });
}

rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t* stream) {
  return rocblasCall("rocblas_get_stream", noStream, [&]() -> rocblas_status {
    if (handle == nullptr) {
      return rocblas_status_invalid_handle;
    }
    if (stream == nullptr) {
      return rocblas_status_invalid_pointer;
    }
    *stream = handle->stream;
    return rocblas_status_success;
  });
}

rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode) {
  return rocblasCall("rocblas_set_pointer_mode", noStream, [&]() -> rocblas_status {
    if (handle == nullptr) {
      return rocblas_status_invalid_handle;
    }
    handle->pointerMode = mode;
    return toRocblas(cublas()->setPointerMode(handle->cublas, mode));
  });
}

rocblas_status rocblas_get_pointer_mode(rocblas_handle handle, rocblas_pointer_mode* mode) {
  return rocblasCall("rocblas_get_pointer_mode", noStream, [&]() -> rocblas_status {
    if (handle == nullptr) {
      return rocblas_status_invalid_handle;
    }
    if (mode == nullptr) {
      return rocblas_status_invalid_pointer;
    }
    *mode = handle->pointerMode;
    return rocblas_status_success;
  });
}

rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode) {
  return rocblasCall("rocblas_set_atomics_mode", noStream, [&]() -> rocblas_status {
    return handle == nullptr ? rocblas_status_invalid_handle
                             : toRocblas(cublas()->setAtomicsMode(handle->cublas, mode));
  });
}

rocblas_status rocblas_set_workspace(rocblas_handle handle, void* workspace, size_t size) {
  return rocblasCall("rocblas_set_workspace", noStream, [&]() -> rocblas_status {
    if (handle == nullptr) {
      return rocblas_status_invalid_handle;
    }
    return workspace == nullptr && size > 0 ? rocblas_status_invalid_pointer : setWorkspace(handle, workspace, size);
  });
}

rocblas_status rocblas_get_version_string(char* text, size_t size) {
  if (text == nullptr) {
    return rocblas_status_invalid_pointer;
  }
  if (size <= strlen(versionText())) {
    return rocblas_status_invalid_size;
  }
  strcpy(text, versionText());
  return rocblas_status_success;
}

rocblas_status rocblas_get_version_string_size(size_t* size) {
  if (size == nullptr) {
    return rocblas_status_invalid_pointer;
  }
  *size = strlen(versionText()) + 1;
  return rocblas_status_success;
}

const char* rocblas_status_to_string(rocblas_status status) {
  static const char* const names[] = {
      "rocblas_status_success",          "rocblas_status_invalid_handle",      "rocblas_status_not_implemented",
      "rocblas_status_invalid_pointer",  "rocblas_status_invalid_size",        "rocblas_status_memory_error",
      "rocblas_status_internal_error",   "rocblas_status_perf_degraded",       "rocblas_status_size_query_mismatch",
      "rocblas_status_size_increased",   "rocblas_status_size_unchanged",      "rocblas_status_invalid_value",
      "rocblas_status_continue",         "rocblas_status_check_numerics_fail", "rocblas_status_excluded_from_build",
      "rocblas_status_arch_mismatch"};
  return status >= 0 && status <= rocblas_status_arch_mismatch ? names[status] : "<undefined rocblas_status value>";
}
