package dev.millrace.samples.gpubench;

import dev.millrace.gpu.LibraryHandles;
import dev.millrace.gpu.ffi.Hipblas;
import dev.millrace.gpu.ffi.Miopen;
import dev.millrace.gpu.ffi.Rocblas;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;

/**
 * A handle of each library, as an application has them.
 *
 * @param rocblas address
 * @param hipblas address
 * @param miopen address
 */
record Handles(long rocblas, long hipblas, long miopen) implements AutoCloseable {

  /** Made on a stream of the application's. */
  static Handles on(DeviceStream home) {
    long stream = home.handle().address();
    long rocblas = Rocblas.createHandle();
    long hipblas = Hipblas.create();
    Rocblas.setStream(rocblas, stream);
    Hipblas.setStream(hipblas, stream);
    return new Handles(rocblas, hipblas, Miopen.createWithStream(stream));
  }

  void attachTo(StreamContext context, Device device) {
    context.attach(LibraryHandles.rocblas(device, rocblas));
    context.attach(LibraryHandles.hipblas(device, hipblas));
    context.attach(LibraryHandles.miopen(device, miopen));
  }

  @Override
  public void close() {
    Miopen.destroy(miopen);
    Hipblas.destroy(hipblas);
    Rocblas.destroyHandle(rocblas);
  }
}
