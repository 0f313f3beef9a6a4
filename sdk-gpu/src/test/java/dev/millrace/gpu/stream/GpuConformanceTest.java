package dev.millrace.gpu.stream;

import dev.millrace.conformance.DeviceUnderTest;
import dev.millrace.conformance.StreamContractSuite;
import dev.millrace.gpu.testing.NeedsHipOnCpu;

/** A GPU keeps the contract that the host device keeps. */
@NeedsHipOnCpu
final class GpuConformanceTest extends StreamContractSuite {
  @Override
  protected DeviceUnderTest kind() {
    return new GpuUnderTest();
  }
}
