package dev.millrace.gpu.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.gpu.ffi.HipModules;
import dev.millrace.gpu.ffi.Hiprtc;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.LaneHandles;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code sum = a + b} as one launch of a kernel, which is the least that a program can be. */
final class AddKernelProgram implements LoadedProgram {
  private static final int BLOCK = 64;

  private static final String SOURCE =
      """
      extern "C" __global__ void add(float* sum, const float* a, const float* b, int count) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < count) sum[i] = a[i] + b[i];
      }
      """;

  private final int ordinal;
  private final int elements;
  private final long module;
  private final long kernel;

  private AddKernelProgram(int ordinal, int elements, long module, long kernel) {
    this.ordinal = ordinal;
    this.elements = elements;
    this.module = module;
    this.kernel = kernel;
  }

  static AddKernelProgram load(int ordinal, int elements) {
    int former = CurrentDevice.enter(ordinal);
    try (Arena arena = Arena.ofConfined()) {
      byte[] code = code();
      MemorySegment image = arena.allocate(code.length, Long.BYTES);
      image.copyFrom(MemorySegment.ofArray(code));
      long module = HipModules.moduleLoadData(image.address());
      long kernel = HipModules.moduleGetFunction(module, arena.allocateFrom("add").address());
      return new AddKernelProgram(ordinal, elements, module, kernel);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  /** hip-on-cpu's code is built with it, so that not each test class compiles; a GPU's is not. */
  private static byte[] code() {
    String file = System.getProperty("millrace.test.kernels");
    try {
      return file == null ? Compiled.CODE : Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Compiled {
    static final byte[] CODE = compile();

    private Compiled() {}

    private static byte[] compile() {
      try (Arena arena = Arena.ofConfined()) {
        long program =
            Hiprtc.createProgram(
                arena.allocateFrom(SOURCE).address(),
                arena.allocateFrom("add.hip").address(),
                0,
                0,
                0);
        if (Hiprtc.compileProgram(program, 0, 0) != 0) {
          throw new AssertionError("add.hip does not compile");
        }
        MemorySegment code = arena.allocate(Hiprtc.getCodeSize(program));
        Hiprtc.getCode(program, code.address());
        Hiprtc.destroyProgram(program);
        return code.toArray(JAVA_BYTE);
      }
    }
  }

  private TensorSpec spec(String name) {
    return new TensorSpec(name, DataType.FLOAT, Shape.of(elements));
  }

  @Override
  public List<TensorSpec> inputs() {
    return List.of(spec("a"), spec("b"));
  }

  @Override
  public List<TensorSpec> outputs() {
    return List.of(spec("sum"));
  }

  /** The addresses of the kernel's arguments, and the arguments. */
  private record Launch(Arena arena, long parameters) implements PreparedArguments {
    @Override
    public void close() {
      arena.close();
    }
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed with the launch
  public PreparedArguments prepare(List<Tensor> inputs, List<Tensor> outputs) {
    Tensor sum = outputs.getFirst();
    if (sum.isReadOnly()) {
      throw new IllegalArgumentException("output=sum is read-only");
    }
    if (sum.memory().kind() == MemoryKind.HOST) {
      throw new IllegalArgumentException("output=sum is in HOST memory: expected DEVICE or PINNED");
    }
    Arena arena = Arena.ofShared();
    MemorySegment values =
        arena.allocateFrom(
            JAVA_LONG, address(sum), address(inputs.get(0)), address(inputs.get(1)), elements);
    MemorySegment parameters = arena.allocate(JAVA_LONG, 4);
    for (int i = 0; i < 4; i++) {
      parameters.setAtIndex(JAVA_LONG, i, values.address() + i * JAVA_LONG.byteSize());
    }
    return new Launch(arena, parameters.address());
  }

  private static long address(Tensor tensor) {
    return tensor.memory().address();
  }

  @Override
  public EngineLane newLane(LaneHandles handles) {
    return new EngineLane() {
      @Override
      public void enqueue(PreparedArguments arguments, long stream, InFlightRun run) {
        launch(((Launch) arguments).parameters, stream);
      }

      @Override
      public void close() {
        // It has nothing of its own.
      }
    };
  }

  private void launch(long parameters, long stream) {
    if (elements == 0) {
      return;
    }
    int blocks = (elements + BLOCK - 1) / BLOCK;
    int former = CurrentDevice.enter(ordinal);
    try {
      HipModules.moduleLaunchKernel(kernel, blocks, 1, 1, BLOCK, 1, 1, 0, stream, parameters, 0);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  @Override
  public long laneBytes() {
    return 0;
  }

  @Override
  public List<String> synchronousBecause() {
    return List.of();
  }

  @Override
  public List<String> notCapturableBecause() {
    return List.of();
  }

  @Override
  public void close() {
    HipModules.moduleUnload(module);
  }
}
