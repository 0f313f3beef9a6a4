package dev.millrace.conformance;

/** The host device keeps the contract. */
class HostConformanceTest extends StreamContractSuite {
  @Override
  protected DeviceUnderTest kind() {
    return new HostUnderTest();
  }
}
