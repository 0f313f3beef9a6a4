package dev.millrace.gpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.ffi.HipModules;
import dev.millrace.gpu.stream.CaptureGate;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.gpu.stream.FreeLater;
import dev.millrace.gpu.stream.PlatformThread;
import dev.millrace.lifetime.LeakWatch;
import dev.millrace.stream.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Kernels that are compiled and loaded on a device. Any thread. Closing returns at once; what is in
 * flight still completes before the code is unloaded.
 *
 * <p>Compiled code is kept in {@code $XDG_CACHE_HOME/millrace/kernels}, else {@code
 * ~/.cache/millrace/kernels}, by source, headers, options, architecture and the compiler's version;
 * {@code -Dmillrace.kernelCache=FOLDER} names another place, {@code off} keeps nothing.
 *
 * <p>Experimental: may change in any release.
 */
public final class KernelModule implements AutoCloseable {
  private final Device device;
  private final String name;
  private final CodeObject code;
  private final Map<String, String> names;
  private final LaunchLimits limits;
  private final Loaded loaded;
  private final Map<String, Kernel> kernels = new ConcurrentHashMap<>();
  private final LeakWatch watch;

  /** What is on the device, and what keeps it there. */
  private static final class Loaded {
    private final int ordinal;
    private final String name;
    private final WorkPool work;

    /** HIP may read the file again when it loads a kernel of it. */
    private final MemorySegment image;

    private long module;

    Loaded(Device device, String name, CodeObject code) {
      this.ordinal = device.id().ordinal();
      this.name = name;
      this.work = new WorkPool(device.driver(), "module=" + name, this::unload);
      byte[] bytes = code.bytes();
      this.image = Arena.ofAuto().allocate(bytes.length, 4096);
      MemorySegment.copy(bytes, 0, image, JAVA_BYTE, 0, bytes.length);
      CaptureGate.loadOrFree("load module=" + name, this::load);
    }

    private void load() {
      int former = CurrentDevice.enter(ordinal);
      try {
        module = HipModules.moduleLoadData(image.address());
      } finally {
        CurrentDevice.leave(former, ordinal);
      }
    }

    long function(String kernel) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment text = arena.allocateFrom(kernel);
        int former = CurrentDevice.enter(ordinal);
        try {
          return HipModules.moduleGetFunction(module, text.address());
        } finally {
          CurrentDevice.leave(former, ordinal);
        }
      }
    }

    /** On a thread of its own: whoever let go last must not wait for a capture. */
    private void unload() {
      FreeLater.run(
          "unload module=" + name,
          ordinal,
          () -> {
            try {
              HipModules.moduleUnload(module);
            } finally {
              Reference.reachabilityFence(image);
            }
          });
    }
  }

  private KernelModule(Device device, String name, CodeObject code, Map<String, String> names) {
    this.device = device;
    this.name = name;
    this.code = code;
    this.names = names;
    this.limits = LaunchLimits.of(device.id().ordinal());
    Loaded ours = new Loaded(device, name, code);
    this.loaded = ours;
    long ticket = device.opened(this);
    this.watch =
        LeakWatch.on(
            this,
            "KernelModule",
            () -> {
              device.closed(ticket);
              ours.work.release();
            });
  }

  /**
   * Compiles a source for a device, or takes what was compiled before, and loads it. Compiling may
   * take seconds.
   *
   * @param device a GPU
   * @param source what to compile
   * @return the module, the caller's to close
   * @throws dev.millrace.error.ModelException if the compiler refuses the source: the message has
   *     the first error with file, line and that line of the source, the cause is the whole {@link
   *     CompilerLog}. A source is to the compiler what a model is to an engine
   * @throws dev.millrace.error.LibraryMissingException if hipRTC is not there
   * @throws UnsupportedOperationException if the device is no GPU
   * @throws IllegalStateException in the body of a capture, which loading would invalidate
   */
  public static KernelModule compile(Device device, KernelSource source) {
    Objects.requireNonNull(source, "source");
    device.checkOpen("compile " + source + " for");
    int ordinal = Gpu.ordinal(device, "compile " + source);
    CompiledSource compiled =
        PlatformThread.call(
            "millrace-gpu:" + ordinal + "-compiler", () -> compile(source, ordinal));
    return new KernelModule(
        device, source.name(), CodeObject.of(compiled.code()), compiled.names());
  }

  private static CompiledSource compile(KernelSource source, int ordinal) {
    String architecture = HipDevices.architecture(ordinal);
    return KernelCache.ofProcess()
        .get(
            source,
            Compiler.options(source, architecture),
            Compiler.version(),
            () -> Compiler.compile(source, architecture));
  }

  /**
   * A kernel by its name.
   *
   * @param kernel its name in the code object, or as it was given to {@link
   *     KernelSource#withKernel}
   * @return the kernel, good until the module is closed
   * @throws IllegalArgumentException if there is none of that name, with those that there are
   * @throws IllegalStateException if the module is closed
   */
  public Kernel kernel(String kernel) {
    Objects.requireNonNull(kernel, "kernel");
    WorkInFlight open = loaded.work.take("find kernel=" + kernel);
    try {
      return kernels.computeIfAbsent(kernel, this::find);
    } finally {
      open.run();
    }
  }

  private Kernel find(String kernel) {
    String symbol = names.getOrDefault(kernel, kernel);
    KernelDescription description =
        code.kernel(symbol)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "kernel=" + kernel + " of " + this + ": expected one of " + known()));
    return new Kernel(this, kernel, description, loaded.function(symbol));
  }

  private String known() {
    return kernels().stream().map(KernelDescription::name).collect(Collectors.joining(", "));
  }

  /**
   * The kernels of the module, as its code object describes them.
   *
   * @return in the order of the code object
   */
  public List<KernelDescription> kernels() {
    return code.kernels();
  }

  /**
   * The device on which it is loaded.
   *
   * @return the device
   */
  public Device device() {
    return device;
  }

  LaunchLimits limits() {
    return limits;
  }

  WorkPool work() {
    return loaded.work;
  }

  @Override
  public void close() {
    try {
      watch.close();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return "module=" + name;
  }
}
