package dev.millrace.gpu.captured;

import dev.millrace.conformance.DeviceUnderTest;
import dev.millrace.conformance.StreamContractSuite;
import dev.millrace.gpu.testing.NeedsHipOnCpu;

/** Captured programs keep the contract that every program keeps. */
@NeedsHipOnCpu
final class CapturedConformanceTest extends StreamContractSuite {
  @Override
  protected DeviceUnderTest kind() {
    return new CapturedUnderTest(Passing.FIXED);
  }
}
