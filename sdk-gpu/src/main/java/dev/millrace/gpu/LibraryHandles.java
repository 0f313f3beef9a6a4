package dev.millrace.gpu;

import dev.millrace.binding.StreamBound;
import dev.millrace.gpu.binding.HandleKind;
import dev.millrace.gpu.binding.LibraryHandle;
import dev.millrace.stream.Device;

/**
 * Handles of ROCm's libraries that the application made, as participants of its contexts: {@code
 * context.attach(LibraryHandles.rocblas(gpu, handle))}. While something is bound such a handle is
 * the context's alone, and afterwards it is where it was: that is asked of the library. The stream
 * on which the application left it must live until then, since the libraries look at the old stream
 * when they are given a new one.
 *
 * <p>hipBLASLt needs none of this: it is told the stream with each call.
 */
public final class LibraryHandles {
  private LibraryHandles() {}

  /**
   * A rocBLAS handle.
   *
   * @param device on which it was made
   * @param handle the {@code rocblas_handle}
   * @return what {@code StreamContext.attach} takes; it does not own the handle
   * @throws dev.millrace.error.LibraryMissingException if rocBLAS is not there
   */
  public static StreamBound rocblas(Device device, long handle) {
    return new LibraryHandle(HandleKind.ROCBLAS, device.id(), handle);
  }

  /**
   * A hipBLAS handle.
   *
   * @param device on which it was made
   * @param handle the {@code hipblasHandle_t}
   * @return what {@code StreamContext.attach} takes; it does not own the handle
   * @throws dev.millrace.error.LibraryMissingException if hipBLAS is not there
   */
  public static StreamBound hipblas(Device device, long handle) {
    return new LibraryHandle(HandleKind.HIPBLAS, device.id(), handle);
  }

  /**
   * A MIOpen handle.
   *
   * @param device on which it was made
   * @param handle the {@code miopenHandle_t}
   * @return what {@code StreamContext.attach} takes; it does not own the handle
   * @throws dev.millrace.error.LibraryMissingException if MIOpen is not there
   */
  public static StreamBound miopen(Device device, long handle) {
    return new LibraryHandle(HandleKind.MIOPEN, device.id(), handle);
  }
}
