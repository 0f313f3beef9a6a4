package dev.millrace.gpu.binding;

import dev.millrace.error.LibraryMissingException;
import dev.millrace.gpu.ffi.Hipblas;
import dev.millrace.gpu.ffi.Miopen;
import dev.millrace.gpu.ffi.Rocblas;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The libraries whose handles remember a stream. hipBLASLt is none: it is told the stream with each
 * call.
 */
@SuppressWarnings("ImmutableEnumChecker") // its fields are references to static methods
public enum HandleKind {
  /** A {@code rocblas_handle}. */
  ROCBLAS("rocblas", Rocblas::missing, Rocblas::getStream, Rocblas::setStream),
  /** A {@code hipblasHandle_t}, which has a rocBLAS handle inside. */
  HIPBLAS("hipblas", Hipblas::missing, Hipblas::getStream, Hipblas::setStream),
  /** A {@code miopenHandle_t}, which has a rocBLAS handle inside. */
  MIOPEN("miopen", Miopen::missing, Miopen::getStream, Miopen::setStream);

  private interface Getter {
    long of(long handle);
  }

  private interface Setter {
    void point(long handle, long stream);
  }

  private final String library;
  private final Supplier<Optional<LibraryMissingException>> missing;
  private final Getter getter;
  private final Setter setter;

  HandleKind(
      String library,
      Supplier<Optional<LibraryMissingException>> missing,
      Getter getter,
      Setter setter) {
    this.library = library;
    this.missing = missing;
    this.getter = getter;
    this.setter = setter;
  }

  String library() {
    return library;
  }

  /** Found out when a handle is attached, not in the middle of a run. */
  void checkPresent() {
    missing
        .get()
        .ifPresent(
            why -> {
              throw why;
            });
  }

  long streamOf(long handle) {
    return getter.of(handle);
  }

  void point(long handle, long stream) {
    setter.point(handle, stream);
  }
}
