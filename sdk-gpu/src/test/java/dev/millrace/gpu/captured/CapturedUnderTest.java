package dev.millrace.gpu.captured;

import dev.millrace.conformance.DeviceUnderTest;
import dev.millrace.conformance.FaultyDriver;
import dev.millrace.gpu.stream.GpuUnderTest;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Program;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.stream.Device;

/** A GPU whose programs are captured ones. */
final class CapturedUnderTest implements DeviceUnderTest {
  private static final int INVALID_VALUE = 1;

  private final GpuUnderTest gpu = new GpuUnderTest();
  private final Passing passing;

  CapturedUnderTest(Passing passing) {
    this.passing = passing;
  }

  @Override
  public DeviceDriver open() {
    return gpu.open();
  }

  @Override
  public DeviceDriver openOther() {
    return gpu.openOther();
  }

  @Override
  public Program load(Model model, Device device, CompileOptions options) {
    device.checkOpen("load a program on");
    return CapturedAdd.load(device, options, GpuUnderTest.elements(model), passing);
  }

  @Override
  public String failNextSubmission(FaultyDriver driver) {
    HipOnCpu.fail("hipGraphLaunch", 1, INVALID_VALUE);
    return "hipGraphLaunch";
  }

  @Override
  public boolean reachesHostMemory() {
    return true;
  }

  @Override
  public boolean isThreadOfDevice(Thread thread) {
    return gpu.isThreadOfDevice(thread);
  }
}
