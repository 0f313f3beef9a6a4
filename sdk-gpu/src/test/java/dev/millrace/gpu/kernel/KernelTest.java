package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.ModelException;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.gpu.testing.NeedsTwoDevices;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsHipOnCpu
final class KernelTest {
  private static final KernelSource SOURCE =
      KernelSource.of(
              "scale.hip",
              """
              #include "factor.h"
              template <typename T> __global__ void scale(T* values, T factor, int count) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < count) values[i] = values[i] * factor * FACTOR + OFFSET;
              }
              extern "C" __global__ void shift(float* values, double by, long long count) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < count) values[i] += by;
              }
              """)
          .withHeader("factor.h", "#define FACTOR 2\n")
          .withDefine("OFFSET", "1")
          .withKernel("scale<float>");

  @TempDir static Path cache;

  private Device device;
  private DeviceStream stream;

  @BeforeAll
  static void cacheInATemporaryFolder() {
    System.setProperty(KernelCache.PROPERTY, cache.toString());
  }

  @BeforeEach
  void open() {
    HipOnCpu.reset();
    device = Device.open("gpu:0");
    stream = device.newStream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
    assertThat(HipOnCpu.live("modules")).isZero();
    assertThat(HipOnCpu.live("streams")).isZero();
    System.clearProperty(KernelCache.PROPERTY);
  }

  private Tensor values() {
    return device.upload(new float[] {1, 2, 3, 4, 5}, Shape.of(5));
  }

  @Test
  void launchesInTheOrderOfTheStream() {
    try (KernelModule module = KernelModule.compile(device, SOURCE);
        Tensor values = values()) {
      Kernel scale = module.kernel("scale<float>");
      Kernel shift = module.kernel("shift");
      scale.launch(stream, Launch.covering(5, 4), scale.arguments(values, 10f, 5));
      shift.launch(stream, Launch.covering(5, 4), shift.arguments(values, 0.5, 5L));
      stream.synchronize();
      assertThat(values.readFloats()).containsExactly(21.5f, 41.5f, 61.5f, 81.5f, 101.5f);
    }
  }

  @Test
  void argumentsAreTakenWhenTheLaunchIsEnqueued() {
    try (KernelModule module = KernelModule.compile(device, SOURCE);
        Tensor first = values();
        Tensor second = values()) {
      Kernel shift = module.kernel("shift");
      KernelArguments arguments = shift.arguments(first, 1.0, 5L);
      shift.launch(stream, Launch.of(5, 1), arguments);
      shift.launch(stream, Launch.of(5, 1), arguments.set(0, second).set(1, 2.0));
      stream.synchronize();
      assertThat(first.readFloats()).containsExactly(2, 3, 4, 5, 6);
      assertThat(second.readFloats()).containsExactly(3, 4, 5, 6, 7);
    }
  }

  @Test
  void memoryAndCodeAreKeptUntilTheLaunchIsDone() {
    Tensor values = values();
    Tensor view = values.view(Shape.of(5));
    KernelModule module = KernelModule.compile(device, SOURCE);
    Kernel shift = module.kernel("shift");
    stream.call(() -> sleep(100));
    shift.launch(stream, Launch.of(5, 1), shift.arguments(view, 1.0, 5L));
    view.close();
    module.close();
    assertThat(HipOnCpu.live("modules")).isPositive();
    stream.synchronize();
    assertThat(values.readFloats()).containsExactly(2, 3, 4, 5, 6);
    values.close();
  }

  private static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @NeedsTwoDevices
  void argumentsThatDoNotFitAreRefusedWithNameAndPosition() {
    try (KernelModule module = KernelModule.compile(device, SOURCE);
        Tensor values = values();
        Device other = Device.open("gpu:1");
        Tensor foreign = other.allocate(DataType.FLOAT, Shape.of(5))) {
      Kernel shift = module.kernel("shift");
      assertThatThrownBy(() -> shift.arguments(values, 1.0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("kernel=shift: given arguments=2, expected 3");
      assertThatThrownBy(() -> shift.arguments(values, 1.0f, 5L))
          .hasMessage(
              "kernel=shift argument=1: given a float of bytes=4, expected a value of bytes=8");
      assertThatThrownBy(() -> shift.arguments(1L, 1.0, 5L))
          .hasMessage("kernel=shift argument=0: given a long of bytes=8, expected a pointer");
      assertThatThrownBy(() -> shift.arguments(values, values, 5L))
          .hasMessageContaining("argument=1: given FLOAT")
          .hasMessageContaining("a value of bytes=8");
      assertThatThrownBy(() -> shift.arguments(foreign, 1.0, 5L))
          .hasMessageContaining("argument=0: given")
          .hasMessageContaining("a tensor of gpu:0");
      assertThatThrownBy(() -> shift.arguments(values, "text", 5L))
          .hasMessageContaining("argument=1: given text");
      assertThatThrownBy(() -> shift.arguments().set(3, 1))
          .hasMessageContaining("argument=3: expected one of 3");
    }
  }

  @Test
  @NeedsTwoDevices
  void launchesThatCannotBeAreRefusedBeforeTheCall() {
    try (KernelModule module = KernelModule.compile(device, SOURCE);
        Tensor values = values();
        Device other = Device.open("gpu:1");
        DeviceStream foreign = other.newStream()) {
      Kernel shift = module.kernel("shift");
      Kernel scale = module.kernel("scale<float>");
      KernelArguments arguments = shift.arguments(values, 1.0, 5L);
      assertThatThrownBy(() -> shift.launch(stream, Launch.of(1, 5000), arguments))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("launch kernel=shift: given blockX=5000");
      assertThatThrownBy(() -> shift.launch(foreign, Launch.of(1, 1), arguments))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("kernel=shift");
      assertThatThrownBy(() -> scale.launch(stream, Launch.of(1, 1), arguments))
          .hasMessage(
              "launch kernel=scale<float>: given arguments of kernel=shift, expected its own");
      assertThatThrownBy(
              () -> shift.launch(stream, Launch.of(1, 1), shift.arguments().set(0, values)))
          .hasMessage("kernel=shift argument=1: given nothing, expected a value of bytes=8");
      assertThat(HipOnCpu.calls("hipModuleLaunchKernel")).isZero();
    }
  }

  @Test
  void closedThingsAreRefused() {
    KernelModule module = KernelModule.compile(device, SOURCE);
    Kernel shift = module.kernel("shift");
    Tensor values = values();
    KernelArguments arguments = shift.arguments(values, 1.0, 5L);
    values.close();
    assertThatThrownBy(() -> shift.launch(stream, Launch.of(1, 1), arguments))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    module.close();
    module.close();
    assertThatThrownBy(() -> shift.launch(stream, Launch.of(1, 1), arguments))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("module=scale.hip is closed");
    assertThatThrownBy(() -> module.kernel("shift")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aLaunchThatFailsLetsEverythingGo() {
    try (KernelModule module = KernelModule.compile(device, SOURCE);
        Tensor values = values()) {
      Kernel shift = module.kernel("shift");
      KernelArguments arguments = shift.arguments(values, 1.0, 5L);
      HipOnCpu.fail("hipModuleLaunchKernel", 1, 719);
      assertThatThrownBy(() -> shift.launch(stream, Launch.of(5, 1), arguments))
          .hasMessageContaining("launch a kernel")
          .hasMessageContaining("hipModuleLaunchKernel failed with hipErrorLaunchFailure");
    }
  }

  @Test
  void aSourceThatDoesNotCompileIsRefusedWithTheLine() {
    KernelSource bad =
        KernelSource.of(
            "bad.hip", "extern \"C\" __global__ void bad(float* x) {\n  x[0] = y;\n}\n");
    assertThatThrownBy(() -> KernelModule.compile(device, bad))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("load model=bad.hip: ")
        .hasMessageContaining(":2")
        .hasMessageEndingWith("\n  2 | x[0] = y;")
        .cause()
        .isInstanceOf(CompilerLog.class)
        .hasMessageContaining("bad.hip");
  }

  @Test
  void anUnknownKernelIsRefusedWithThoseThatThereAre() {
    try (KernelModule module = KernelModule.compile(device, SOURCE)) {
      assertThatThrownBy(() -> module.kernel("none"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("kernel=none of module=scale.hip: expected one of")
          .hasMessageContaining("shift");
    }
  }

  @Test
  void theSecondCompilationComesFromTheCache() {
    KernelSource own = SOURCE.withDefine("OWN", String.valueOf(System.nanoTime()));
    KernelModule.compile(device, own).close();
    long compiled = HipOnCpu.calls("hiprtcCompileProgram");
    try (KernelModule again = KernelModule.compile(device, own)) {
      assertThat(again.kernel("scale<float>").parameters()).hasSize(3);
    }
    assertThat(HipOnCpu.calls("hiprtcCompileProgram")).isEqualTo(compiled);
  }

  @Test
  void theHostRunsNoKernels() {
    try (Device host = Device.open("host")) {
      assertThatThrownBy(() -> KernelModule.compile(host, SOURCE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("host");
    }
  }
}
