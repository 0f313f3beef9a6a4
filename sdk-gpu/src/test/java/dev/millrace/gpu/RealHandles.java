package dev.millrace.gpu;

import dev.millrace.binding.StreamBound;
import dev.millrace.gpu.ffi.Hipblas;
import dev.millrace.gpu.ffi.Miopen;
import dev.millrace.gpu.ffi.Rocblas;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.gpu.stream.GpuProvider;
import dev.millrace.handle.StreamHandle;
import dev.millrace.stream.Device;
import java.util.List;
import java.util.function.Supplier;

/** The application's: a handle of each of AMD's libraries that remember a stream. */
final class RealHandles implements AutoCloseable {
  private final int ordinal;
  private final long rocblas;
  private final long hipblas;
  private final long miopen;
  private final List<StreamBound> participants;

  /** Makes them; they look at the null stream. */
  RealHandles(Device device) {
    ordinal = device.id().ordinal();
    rocblas = onDevice(Rocblas::createHandle);
    hipblas = onDevice(Hipblas::create);
    miopen = onDevice(() -> Miopen.createWithStream(0));
    participants =
        List.of(
            LibraryHandles.rocblas(device, rocblas),
            LibraryHandles.hipblas(device, hipblas),
            LibraryHandles.miopen(device, miopen));
  }

  /** Those that a class of tests shares: MIOpen takes its time to make one. */
  static RealHandles onDevice1() {
    try (Device device = Device.of(new GpuProvider().open(1))) {
      return new RealHandles(device);
    }
  }

  private <T> T onDevice(Supplier<T> call) {
    int former = CurrentDevice.enter(ordinal);
    try {
      return call.get();
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  List<StreamBound> participants() {
    return participants;
  }

  /** Where the libraries' own getters say that they are. */
  List<StreamHandle> streams() {
    return participants.stream().map(StreamBound::stream).toList();
  }

  /** The libraries look at the old stream when they are given another: it has to be alive. */
  void moveTo(StreamHandle stream) {
    participants.forEach(handle -> handle.setStream(stream));
  }

  @Override
  public void close() {
    onDevice(
        () -> {
          Miopen.destroy(miopen);
          Hipblas.destroy(hipblas);
          Rocblas.destroyHandle(rocblas);
          return null;
        });
  }
}
