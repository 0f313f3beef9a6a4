package dev.millrace.gpu.stream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.conformance.DeviceUnderTest;
import dev.millrace.conformance.FaultyDriver;
import dev.millrace.conformance.TinyModels;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Program;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.stream.Device;
import java.util.stream.IntStream;

/** A GPU, real or the stand-in on CPU threads; its programs are kernels. */
public final class GpuUnderTest implements DeviceUnderTest {
  private static final int INVALID_VALUE = 1;
  private static final int MOST_ELEMENTS = 64;

  @Override
  public DeviceDriver open() {
    return new GpuProvider().open(0);
  }

  @Override
  public DeviceDriver openOther() {
    assumeTrue(HipDevices.count() > 1, "there is one device, and it takes two");
    return new GpuProvider().open(1);
  }

  @Override
  public Program load(Model model, Device device, CompileOptions options) {
    device.checkOpen("load a program on");
    AddKernelProgram add = AddKernelProgram.load(device.id().ordinal(), elements(model));
    return Program.of(add, model.name(), device, options);
  }

  /** Which of the suite's models it is: there is no engine to read it. */
  public static int elements(Model model) {
    return IntStream.range(0, MOST_ELEMENTS)
        .filter(elements -> TinyModels.add(elements).sha256().equals(model.sha256()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no kernel for " + model));
  }

  @Override
  public String failNextSubmission(FaultyDriver driver) {
    HipOnCpu.fail("hipModuleLaunchKernel", 1, INVALID_VALUE);
    return "hipModuleLaunchKernel";
  }

  @Override
  public boolean reachesHostMemory() {
    return false;
  }

  @Override
  public boolean isThreadOfDevice(Thread thread) {
    return thread.getName().startsWith("millrace-gpu:");
  }
}
