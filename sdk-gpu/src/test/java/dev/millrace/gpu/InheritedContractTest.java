package dev.millrace.gpu;

import dev.millrace.conformance.BindingContract;
import dev.millrace.conformance.DeviceUnderTest;
import dev.millrace.conformance.HostUnderTest;

/** The contract can be inherited across modules, here for a device that is always there. */
final class InheritedContractTest extends BindingContract {
  @Override
  protected DeviceUnderTest kind() {
    return new HostUnderTest();
  }
}
