package dev.millrace.samples.gpubench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.samples.bench.Median;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The C side: {@code libbenchfloor.so}, which makes the calls that the work needs and nothing else
 * ({@code sdk-gpu/src/native/bench/floor.h}). Loaded into this process, so that both sides use one
 * HIP library, one set of streams and one clock.
 */
@SuppressWarnings("restricted") // it is a native library's interface
final class Floor {
  private static final MemoryLayout MEASURED =
      MemoryLayout.structLayout(JAVA_LONG.withName("nanos"));

  private final SymbolLookup symbols;
  private final MethodHandle error;
  private final MethodHandle external;
  private final MethodHandle replay;
  private final MethodHandle launches;
  private final MethodHandle throughput;
  private final MethodHandle bind;
  private final MethodHandle pattern;

  Floor(Path library, String rocm) {
    symbols = SymbolLookup.libraryLookup(library, Arena.global());
    error = find("floorError", FunctionDescriptor.of(ADDRESS));
    external =
        find(
            "floorExternal",
            of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    replay =
        find(
            "floorReplay",
            of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS));
    launches = find("floorLaunches", of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    throughput =
        find("floorThroughput", of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS));
    bind = find("floorBind", of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS));
    pattern = find("floorPattern", of(ADDRESS, JAVA_INT, ADDRESS));
    open(rocm);
  }

  private static FunctionDescriptor of(MemoryLayout... parameters) {
    return FunctionDescriptor.of(JAVA_LONG, parameters);
  }

  private MethodHandle find(String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type);
  }

  private void open(String folder) {
    MethodHandle open = find("floorOpen", of(ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      check("floorOpen", open, arena.allocateFrom(folder));
    }
  }

  /** A way to call one of the functions that give a time a round. */
  private interface Call {
    void into(MemorySegment nanos);
  }

  private static double[] measured(int rounds, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment nanos = arena.allocate(MEASURED, rounds);
      call.into(nanos);
      return Arrays.stream(nanos.toArray(JAVA_LONG)).asDoubleStream().toArray();
    }
  }

  /** Nanoseconds to submit an external run. */
  double external(Submission of, MemorySegment kernel, int kernels, int drainEvery) {
    return middle(
        measured(
            of.samples(),
            nanos ->
                check(
                    "floorExternal",
                    external,
                    of.stream(),
                    of.event(),
                    of.ordinal(),
                    kernel,
                    kernels,
                    of.samples(),
                    drainEvery,
                    nanos)));
  }

  /** Nanoseconds to submit a replay. */
  double replay(Submission of, long exec, int drainEvery) {
    return middle(
        measured(
            of.samples(),
            nanos ->
                check(
                    "floorReplay",
                    replay,
                    of.stream(),
                    of.event(),
                    of.ordinal(),
                    exec,
                    of.samples(),
                    drainEvery,
                    nanos)));
  }

  /** Nanoseconds to launch, and nothing around it. */
  double launches(Submission of, MemorySegment kernel, int kernels, int drainEvery) {
    return middle(
        measured(
            of.samples(),
            nanos ->
                check(
                    "floorLaunches",
                    launches,
                    of.stream(),
                    kernel,
                    kernels,
                    of.samples(),
                    drainEvery,
                    nanos)));
  }

  /** Nanoseconds until launches, or one replay if there is an exec, are done on the GPU. */
  double throughput(Submission of, MemorySegment kernel, int kernels, long exec) {
    return middle(
        measured(
            of.samples(),
            nanos ->
                check(
                    "floorThroughput",
                    throughput,
                    of.stream(),
                    kernel,
                    kernels,
                    exec,
                    of.samples(),
                    nanos)));
  }

  /** Nanoseconds to point three handles at a stream, and back. */
  double bind(Submission of, Handles handles) {
    return middle(
        measured(
            of.samples(),
            nanos ->
                check(
                    "floorBind",
                    bind,
                    of.stream(),
                    handles.rocblas(),
                    handles.hipblas(),
                    handles.miopen(),
                    of.samples(),
                    nanos)));
  }

  /** Microseconds a run, of all callers' runs. */
  double pattern(MemorySegment pattern, int runs) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment micros = arena.allocate(JAVA_DOUBLE);
      check("floorPattern", this.pattern, pattern, runs, micros);
      return micros.get(JAVA_DOUBLE, 0);
    }
  }

  private static double middle(double[] values) {
    return Median.of(Arrays.stream(values));
  }

  private void check(String name, MethodHandle function, Object... arguments) {
    try {
      long status = (long) function.invokeWithArguments(arguments);
      if (status != 0) {
        throw new IllegalStateException(name + " failed: status=" + status + " " + why());
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
  }

  private String why() throws Throwable {
    MemorySegment text = (MemorySegment) error.invokeExact();
    return text.reinterpret(1 << 10).getString(0);
  }
}
