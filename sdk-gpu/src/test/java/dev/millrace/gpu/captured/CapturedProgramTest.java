package dev.millrace.gpu.captured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.gpu.kernel.Blas;
import dev.millrace.gpu.kernel.Gemm;
import dev.millrace.gpu.kernel.Kernel;
import dev.millrace.gpu.kernel.KernelModule;
import dev.millrace.gpu.kernel.KernelSource;
import dev.millrace.gpu.kernel.Launch;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.gpu.testing.OnlyHipOnCpu;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@NeedsHipOnCpu
final class CapturedProgramTest {
  private static final int ELEMENTS = 100;
  private static final Shape SHAPE = Shape.of(ELEMENTS);

  private static final KernelSource SOURCE =
      KernelSource.of(
          "relu.hip",
          """
          extern "C" __global__ void relu(float* values, int count) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < count && values[i] < 0) values[i] = 0;
          }
          """);

  private static final List<String> COUNTED =
      List.of("streams", "bytes", "modules", "graphs", "execs");

  private Device device;
  private StreamContext context;
  private List<Long> before;

  /** Tests of failures leave things in the process that nobody can give back. */
  private static List<Long> live() {
    return COUNTED.stream().map(HipOnCpu::live).toList();
  }

  @BeforeEach
  void open() {
    HipOnCpu.reset();
    before = live();
    device = Device.open("gpu:0");
    context = device.newContext();
  }

  @AfterEach
  void close() {
    context.close();
    device.close();
    assertThat(live()).as("live %s", COUNTED).isEqualTo(before);
    assertThat(HipOnCpu.live("exec-overlaps")).as("overlaps, -1 if uncounted").isNotPositive();
  }

  private static float[] numbers(int first) {
    float[] numbers = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      numbers[i] = first + i;
    }
    return numbers;
  }

  private static float[] sum(int a, int b) {
    float[] sum = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      sum[i] = a + b + 2 * i;
    }
    return sum;
  }

  private static void assertRun(Program program, DeviceStream stream, RunMode mode, int a, int b) {
    try (Arguments io = program.arguments()) {
      io.input("a").write(numbers(a));
      io.input("b").write(numbers(b));
      try (Run run = program.runAsync(io, stream, mode)) {
        stream.synchronize();
        assertThat(run.output("sum").readFloats()).containsExactly(sum(a, b));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void runsOnAnyStreamInEitherMode(Passing passing) {
    try (Program program = CapturedAdd.load(device, CompileOptions.defaults(), ELEMENTS, passing);
        DeviceStream first = device.newStream();
        DeviceStream second = device.newStream()) {
      for (int turn = 0; turn < 5; turn++) {
        assertRun(program, first, RunMode.EXTERNAL, turn, 1);
        assertRun(program, second, RunMode.FORK_JOIN, turn, 2);
        assertRun(program, device.nullStream(), RunMode.EXTERNAL, turn, 3);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void severalThreadsShareLanesThatNeverOverlap(Passing passing) throws Exception {
    try (Program program =
            CapturedAdd.load(device, CompileOptions.defaults().withLanes(2), ELEMENTS, passing);
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        int own = thread * 1000;
        all.add(threads.submit(() -> runMany(program, own)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private void runMany(Program program, int own) {
    try (DeviceStream stream = device.newStream()) {
      for (int turn = 0; turn < 100; turn++) {
        assertRun(program, stream, RunMode.EXTERNAL, own + turn, 7);
      }
    }
  }

  @Test
  void whatIsRepointedIsNeitherCopiedNorToldTwice() {
    try (Program program =
            CapturedAdd.load(device, CompileOptions.defaults(), ELEMENTS, Passing.REPOINTED);
        DeviceStream stream = device.newStream();
        Arguments first = program.arguments();
        Arguments second = program.arguments()) {
      fill(first, 1);
      fill(second, 2);
      HipOnCpu.reset();
      program.submit(first, stream);
      program.submit(first, stream);
      assertThat(HipOnCpu.calls("hipGraphExecKernelNodeSetParams")).isEqualTo(1);
      program.submit(second, stream);
      program.submit(second, stream);
      assertThat(HipOnCpu.calls("hipGraphExecKernelNodeSetParams")).isEqualTo(2);
      assertThat(HipOnCpu.calls("hipGraphLaunch")).isEqualTo(4);
      assertThat(HipOnCpu.calls("hipMemcpyAsync")).isZero();
      stream.synchronize();
      assertThat(first.output("sum").readFloats()).containsExactly(sum(1, 0));
      assertThat(second.output("sum").readFloats()).containsExactly(sum(2, 0));
    }
  }

  private static void fill(Arguments io, int a) {
    io.input("a").write(numbers(a));
    io.input("b").write(numbers(0));
    io.output("sum");
  }

  @Test
  void afterATellingThatFailedTheNextRunTellsAgain() {
    try (Program program =
            CapturedAdd.load(device, CompileOptions.defaults(), ELEMENTS, Passing.REPOINTED);
        DeviceStream stream = device.newStream();
        Arguments io = program.arguments()) {
      fill(io, 5);
      HipOnCpu.fail("hipGraphExecKernelNodeSetParams", 1, 1);
      assertThatThrownBy(() -> program.submit(io, stream))
          .hasMessageContaining("hipGraphExecKernelNodeSetParams");
      program.submit(io, stream);
      stream.synchronize();
      assertThat(io.output("sum").readFloats()).containsExactly(sum(5, 0));
    }
  }

  @Test
  void copiesAndFillsAreRepointedToo() {
    CaptureSpec spec =
        CaptureSpec.of("copy")
            .withInput("in", DataType.FLOAT, SHAPE, Passing.REPOINTED)
            .withOutput("out", DataType.FLOAT, SHAPE, Passing.REPOINTED)
            .withOutput("ones", DataType.UINT8, SHAPE, Passing.REPOINTED);
    try (Program program =
            CapturedProgram.capture(
                context,
                spec,
                CompileOptions.defaults(),
                scope -> {
                  scope.copy(scope.tensor("in"), scope.tensor("out"));
                  scope.fill(scope.tensor("ones"), 1);
                });
        DeviceStream stream = device.newStream()) {
      for (int turn = 0; turn < 3; turn++) {
        try (Arguments io = program.arguments()) {
          io.input("in").write(numbers(turn));
          program.submit(io, stream);
          stream.synchronize();
          assertThat(io.output("out").readFloats()).containsExactly(numbers(turn));
          assertThat(io.output("ones").readBytes()).containsOnly(1);
        }
      }
    }
  }

  @Test
  void aCapturedProductWithAKernelGivesWhatTheHostGives() {
    int size = 10;
    CaptureSpec spec =
        CaptureSpec.of("layer")
            .withInput("x", DataType.FLOAT, SHAPE)
            .withInput("w", DataType.FLOAT, SHAPE)
            .withOutput("y", DataType.FLOAT, SHAPE);
    KernelModule module = KernelModule.compile(device, SOURCE);
    Kernel relu = module.kernel("relu");
    try (Program program =
            CapturedProgram.capture(
                context,
                spec,
                CompileOptions.defaults().withLanes(2),
                scope -> {
                  Tensor product = scope.scratch(DataType.FLOAT, SHAPE);
                  scope
                      .blas()
                      .gemm(
                          Gemm.of(size, size, size), scope.tensor("x"), scope.tensor("w"), product);
                  scope.launch(
                      relu, Launch.covering(ELEMENTS, 32), relu.arguments(product, ELEMENTS));
                  scope.copy(product, scope.tensor("y"));
                });
        DeviceStream stream = device.newStream()) {
      module.close(); // the program keeps what it launches
      assertThat(program.laneBytes()).isEqualTo(4 * 4 * ELEMENTS + Blas.DEFAULT_WORKSPACE_BYTES);
      for (int turn = 0; turn < 3; turn++) {
        assertLayer(program, stream, size, turn * 37 - 50);
      }
    }
  }

  private static void assertLayer(Program program, DeviceStream stream, int size, int first) {
    float[] x = numbers(first);
    float[] w = numbers(-30);
    float[] expected = new float[ELEMENTS];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double sum = 0;
        for (int k = 0; k < size; k++) {
          sum += (double) x[i * size + k] * w[k * size + j];
        }
        expected[i * size + j] = (float) Math.max(0, sum);
      }
    }
    try (Arguments io = program.arguments()) {
      io.input("x").write(x);
      io.input("w").write(w);
      program.submit(io, stream);
      stream.synchronize();
      assertThat(io.output("y").readFloats()).containsExactly(expected);
    }
  }

  /** What a body must not do while it is captured. */
  enum Illegal {
    ALLOCATE {
      @Override
      void happen(Device device, CaptureScope scope) {
        device.allocate(DataType.FLOAT, SHAPE).close();
      }
    },
    SYNCHRONIZE {
      @Override
      void happen(Device device, CaptureScope scope) {
        scope.stream().synchronize();
      }
    },
    QUERY {
      @Override
      void happen(Device device, CaptureScope scope) {
        scope.stream().isIdle();
      }
    },
    COMPILE {
      @Override
      void happen(Device device, CaptureScope scope) {
        KernelModule.compile(device, SOURCE).close();
      }
    },
    NESTED_CAPTURE {
      @Override
      void happen(Device device, CaptureScope scope) {
        CapturedAdd.load(device, CompileOptions.defaults(), 1, Passing.FIXED).close();
      }
    },
    MAKE_A_BLAS_HANDLE {
      @Override
      void happen(Device device, CaptureScope scope) {
        Blas.create(device).close();
      }
    };

    abstract void happen(Device device, CaptureScope scope);
  }

  private Program captureWith(CaptureBody whenCaptured) {
    CaptureSpec spec = CaptureSpec.of("bad").withOutput("out", DataType.FLOAT, SHAPE);
    int[] calls = new int[1];
    return CapturedProgram.capture(
        context,
        spec,
        CompileOptions.defaults(),
        scope -> {
          scope.fill(scope.tensor("out"), 0);
          if (calls[0]++ == 1) {
            whenCaptured.enqueue(scope);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatMayNotBeCapturedIsNamedAndTheNextCaptureWorks(Illegal illegal) {
    assertThatThrownBy(() -> captureWith(scope -> illegal.happen(device, scope)).close())
        .isInstanceOf(RuntimeException.class)
        .hasMessageMatching("(?s).*(hip\\w+ failed with hipError|captur).*");
    try (Program program =
            CapturedAdd.load(device, CompileOptions.defaults(), ELEMENTS, Passing.FIXED);
        DeviceStream stream = device.newStream()) {
      assertRun(program, stream, RunMode.EXTERNAL, 1, 2);
    }
  }

  @Test
  void aFailureThatTheBodySwallowsIsStillNamed() {
    assertThatThrownBy(
            () ->
                captureWith(
                        scope -> {
                          try {
                            scope.stream().isIdle();
                          } catch (RuntimeException e) {
                            assertThat(e).isNotNull(); // and on, as if nothing had happened
                          }
                        })
                    .close())
        .hasMessageContaining("capture captured program=bad: invalidated by")
        .hasMessageContaining("hipStreamQuery");
  }

  @Test
  void whatTheBodyThrowsIsThrown() {
    assertThatThrownBy(
            () ->
                captureWith(
                        scope -> {
                          throw new IllegalStateException("mine");
                        })
                    .close())
        .hasMessage("mine");
  }

  @Test
  void otherScratchThanInTheWarmUpIsRefused() {
    assertThatThrownBy(
            () -> captureWith(scope -> scope.scratch(DataType.FLOAT, Shape.of(3))).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("scratch=0 of captured program=bad: asked for FLOAT");
    assertThatThrownBy(() -> captureWith(CaptureScope::blas).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not in the warm-up");
  }

  @Test
  void theScopeEndsWithTheBody() {
    AtomicReference<CaptureScope> kept = new AtomicReference<>();
    try (Program _ = captureWith(kept::set)) {
      assertThatThrownBy(() -> kept.get().stream())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("until the body ends");
    }
  }

  @Test
  void aLibrarysLaunchCannotUseWhatIsRepointed() {
    CaptureSpec spec =
        CaptureSpec.of("product").withInput("x", DataType.FLOAT, SHAPE, Passing.REPOINTED);
    assertThatThrownBy(
            () ->
                CapturedProgram.capture(
                        context,
                        spec,
                        CompileOptions.defaults(),
                        scope -> {
                          Tensor y = scope.scratch(DataType.FLOAT, SHAPE);
                          Tensor x = scope.tensor("x");
                          scope.blas().gemm(Gemm.of(10, 10, 10), x, x, y);
                        })
                    .close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Blas.gemm a=x")
        .hasMessageContaining("expected passing=FIXED");
  }

  @Test
  void theContextsHandlesLookAtTheCaptureAndGoBack() {
    try (Blas blas = Blas.create(device, 1 << 20)) {
      context.attach(blas);
      AtomicReference<Object> seen = new AtomicReference<>();
      try (Program _ =
          captureWith(
              scope -> {
                assertThat(blas.stream()).isEqualTo(scope.stream().handle());
                seen.set(blas.stream());
              })) {
        assertThat(seen.get()).isNotNull();
        assertThat(blas.stream().isNull()).isTrue();
      }
      context.detach(blas);
    }
  }

  @Test
  void lanesDoNotShareAHandlesWorkspace() {
    try (Blas blas = Blas.create(device, 1 << 20)) {
      context.attach(blas);
      CaptureSpec spec = CaptureSpec.of("shared");
      CompileOptions two = CompileOptions.defaults().withLanes(2);
      assertThatThrownBy(() -> CapturedProgram.capture(context, spec, two, scope -> {}).close())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("lanes=2: participant=rocblas");
      context.detach(blas);
    }
  }

  @Test
  @OnlyHipOnCpu("a limit of memory that can be set")
  void lanesBeyondFreeMemoryAreRefusedWithTheSizes() {
    HipOnCpu.memory(64L << 20);
    CaptureSpec spec =
        CaptureSpec.of("large").withOutput("out", DataType.UINT8, Shape.of(40 << 20));
    try {
      assertThatThrownBy(
              () ->
                  CapturedProgram.capture(
                          context,
                          spec,
                          CompileOptions.defaults().withLanes(2),
                          scope -> scope.fill(scope.tensor("out"), 1))
                      .close())
          .hasMessageContaining("make lane=2 of lanes=2")
          .hasMessageContaining("laneBytes=41943040");
    } finally {
      HipOnCpu.memory(1L << 34);
    }
  }

  @Test
  void wrappedHostMemoryIsRefusedWhereTheGraphWouldBePointedAtIt() {
    try (Program program =
            CapturedAdd.load(device, CompileOptions.defaults(), ELEMENTS, Passing.REPOINTED);
        DeviceStream stream = device.newStream();
        Arguments io = program.arguments();
        Arena arena = Arena.ofShared()) {
      fill(io, 1);
      io.input("a", Tensor.wrap(arena.allocate(4L * ELEMENTS, 64), DataType.FLOAT, SHAPE));
      assertThatThrownBy(() -> program.submit(io, stream))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("tensor=a of captured program=add");
    }
  }

  @Test
  void theHostCapturesNothing() {
    try (Device host = Device.open("host");
        StreamContext ofHost = host.newContext()) {
      assertThatThrownBy(
              () ->
                  CapturedProgram.capture(
                      ofHost, CaptureSpec.of("x"), CompileOptions.defaults(), scope -> {}))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }
}
