package dev.millrace.program;

import java.util.ArrayList;
import java.util.List;

/** Whether a program's runs can be enqueued without waiting, and captured; if not, why. */
public final class AsyncCapability {
  private final List<String> synchronousBecause;
  private final List<String> notCapturableBecause;

  AsyncCapability(List<String> synchronousBecause, List<String> notCapturableBecause) {
    this.synchronousBecause = List.copyOf(synchronousBecause);
    this.notCapturableBecause = List.copyOf(notCapturableBecause);
  }

  /**
   * Whether {@code runAsync} returns before the device is done.
   *
   * @return false if the program waits for the device itself
   */
  public boolean isAsync() {
    return synchronousBecause.isEmpty();
  }

  /**
   * Whether a run can be captured and replayed.
   *
   * @return false also for what is not asynchronous
   */
  public boolean canCapture() {
    return isAsync() && notCapturableBecause.isEmpty();
  }

  /**
   * What stands in the way of either.
   *
   * @return one sentence a reason
   */
  public List<String> reasons() {
    List<String> all = new ArrayList<>(synchronousBecause);
    all.addAll(notCapturableBecause);
    return List.copyOf(all);
  }

  @Override
  public String toString() {
    return "async=" + isAsync() + " capture=" + canCapture() + " " + reasons();
  }
}
