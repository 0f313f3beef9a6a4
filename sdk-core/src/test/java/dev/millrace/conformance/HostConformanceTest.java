package dev.millrace.conformance;

import org.junit.jupiter.api.Nested;

/** The host device keeps the contract. */
class HostConformanceTest extends StreamContractSuite {
  @Override
  protected DeviceUnderTest kind() {
    return new HostUnderTest();
  }

  @Nested
  class Failures extends FailureContract {
    @Override
    protected DeviceUnderTest kind() {
      return HostConformanceTest.this.kind();
    }
  }
}
