package dev.millrace.samples.gpubench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.ffi.HipGraphs;
import dev.millrace.gpu.ffi.HipModules;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.ffi.Hiprtc;
import dev.millrace.gpu.kernel.KernelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An empty kernel and one that takes as long as it is told, loaded as an application does that
 * calls HIP itself: the C side launches the very same functions.
 */
final class Kernels implements AutoCloseable {
  /** The same text for the kernels that Millrace loads. */
  static final KernelSource SOURCE =
      KernelSource.of(
          "bench.hip",
          """
          extern "C" __global__ void empty() {}
          extern "C" __global__ void spin(long long ticks) {
            long long start = wall_clock64();
            while (wall_clock64() - start < ticks) {}
          }
          """);

  private static final int WALL_CLOCK_RATE = 10_017; // hipDeviceAttributeWallClockRate, in kHz
  private static final int FLOOR_KERNEL_BYTES = 48;
  private static final int THREAD_LOCAL = 1;

  private final Arena arena = Arena.ofShared();
  private final long module;

  /** A kernel of one thread: as C wants it, and as Millrace's side launches it. */
  record Raw(MemorySegment floor, long function, long parameters) {
    void launch(long stream) {
      HipModules.moduleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, 0);
    }
  }

  Kernels() {
    module = HipModules.moduleLoadData(compiled().address());
  }

  private MemorySegment compiled() {
    long program =
        Hiprtc.createProgram(
            arena.allocateFrom(SOURCE.text()).address(),
            arena.allocateFrom(SOURCE.name()).address(),
            0,
            0,
            0);
    if (Hiprtc.compileProgram(program, 0, 0) != 0) {
      throw new IllegalStateException(SOURCE.name() + " does not compile");
    }
    MemorySegment code = arena.allocate(Hiprtc.getCodeSize(program), Long.BYTES);
    Hiprtc.getCode(program, code.address());
    Hiprtc.destroyProgram(program);
    return code;
  }

  Raw empty() {
    return raw("empty", null);
  }

  /** Takes that long on the GPU. */
  Raw spin(long ticks) {
    return raw("spin", ticks);
  }

  static long ticks(int microseconds, int ordinal) {
    return (long) microseconds * HipDevices.attribute(WALL_CLOCK_RATE, ordinal) / 1_000;
  }

  private Raw raw(String name, @Nullable Long argument) {
    long function = HipModules.moduleGetFunction(module, arena.allocateFrom(name).address());
    long parameters = 0;
    if (argument != null) {
      MemorySegment value = arena.allocateFrom(JAVA_LONG, argument);
      parameters = arena.allocateFrom(JAVA_LONG, value.address()).address();
    }
    return new Raw(floorKernel(function, parameters), function, parameters);
  }

  /** The struct of floor.h: function, grid, block, shared bytes, unused, parameters. */
  private MemorySegment floorKernel(long function, long parameters) {
    MemorySegment kernel = arena.allocate(FLOOR_KERNEL_BYTES, Long.BYTES);
    kernel.set(JAVA_LONG, 0, function);
    for (int dimension = 0; dimension < 6; dimension++) {
      kernel.set(JAVA_INT, 8 + 4 * dimension, 1);
    }
    kernel.set(JAVA_LONG, 40, parameters);
    return kernel;
  }

  /** A pattern of floor.h. */
  MemorySegment floorPattern(Pattern pattern, int callers, int kernels, int ordinal, Raw kernel) {
    MemorySegment struct = arena.allocate(48, Long.BYTES);
    struct.set(JAVA_INT, 0, pattern.shape());
    struct.set(JAVA_INT, 4, callers);
    struct.set(JAVA_INT, 8, pattern.lanes(callers));
    struct.set(JAVA_INT, 12, kernels);
    struct.set(JAVA_INT, 16, ordinal);
    for (int pointer = 24; pointer < 48; pointer += 8) {
      struct.set(JAVA_LONG, pointer, kernel.floor().address());
    }
    return struct;
  }

  /** A graph of launches, instantiated as Millrace does it. */
  static long capture(Raw kernel, int kernels, long stream) {
    HipStreams.streamBeginCapture(stream, THREAD_LOCAL);
    for (int i = 0; i < kernels; i++) {
      kernel.launch(stream);
    }
    long graph = HipStreams.streamEndCapture(stream);
    long exec = HipGraphs.graphInstantiateWithFlags(graph, 0);
    HipGraphs.graphDestroy(graph);
    HipGraphs.graphUpload(exec, stream);
    HipStreams.streamSynchronize(stream);
    return exec;
  }

  @Override
  public void close() {
    HipModules.moduleUnload(module);
    arena.close();
  }
}
