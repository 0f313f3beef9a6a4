package dev.millrace.conformance;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of streams, contexts and programs: every row of the design's table as named tests,
 * and the rules around it. A device's own test extends this and names the kind. What only programs
 * of an engine can do that work on the host, fail by their data and decide shapes, is {@link
 * FailureContract}, and is added where it applies.
 */
public abstract class StreamContractSuite {

  /**
   * The device to be tested.
   *
   * @return the kind
   */
  protected abstract DeviceUnderTest kind();

  @Nested
  @DisplayName("A context")
  class Contexts extends BindingContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class BoundThreads extends BoundThreadContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class StreamOrder extends StreamOrderContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class NullStream extends NullStreamContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class Runs extends RunContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class Lanes extends LaneContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class Lifetimes extends LifetimeContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class Faults extends FaultContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class HandleFaults extends HandleFaultContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class Waiting extends WaitingContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class BadInput extends BadInputContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }

  @Nested
  class Forgotten extends DeviceCloseContract {
    @Override
    protected DeviceUnderTest kind() {
      return StreamContractSuite.this.kind();
    }
  }
}
