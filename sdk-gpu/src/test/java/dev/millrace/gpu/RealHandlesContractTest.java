package dev.millrace.gpu;

import dev.millrace.binding.StreamBound;
import dev.millrace.conformance.BindingContract;
import dev.millrace.conformance.DeviceUnderTest;
import dev.millrace.conformance.FaultyDriver;
import dev.millrace.conformance.RunContract;
import dev.millrace.gpu.stream.GpuUnderTest;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Program;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.stream.Device;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The rows of the contract that ask handles where they are, asked of AMD's own libraries. */
@NeedsRealLibraries
@DisplayName("With handles of AMD's libraries")
final class RealHandlesContractTest {
  private final List<RealHandles> made = new ArrayList<>();

  @AfterEach
  void giveHandlesBack() {
    made.forEach(RealHandles::close);
  }

  private final class WithRealHandles implements DeviceUnderTest {
    private final GpuUnderTest gpu = new GpuUnderTest();

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
      return gpu.load(model, device, options);
    }

    @Override
    public List<StreamBound> participants(Device device) {
      RealHandles handles = new RealHandles(device);
      made.add(handles);
      return handles.participants();
    }

    @Override
    public String failNextSubmission(FaultyDriver driver) {
      return gpu.failNextSubmission(driver);
    }

    @Override
    public boolean reachesHostMemory() {
      return gpu.reachesHostMemory();
    }

    @Override
    public boolean isThreadOfDevice(Thread thread) {
      return gpu.isThreadOfDevice(thread);
    }
  }

  @Nested
  @DisplayName("a context")
  class Contexts extends BindingContract {
    @Override
    protected DeviceUnderTest kind() {
      return new WithRealHandles();
    }
  }

  @Nested
  @DisplayName("a run")
  class Runs extends RunContract {
    @Override
    protected DeviceUnderTest kind() {
      return new WithRealHandles();
    }
  }
}
