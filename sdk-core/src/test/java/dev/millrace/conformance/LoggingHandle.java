package dev.millrace.conformance;

import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * A library handle as a test wants it: it remembers where it is, tells a common log when it is
 * moved, and fails when told to. One thread at a time.
 */
public final class LoggingHandle implements StreamBound {
  private final String name;
  private final List<String> log;
  private StreamHandle at;
  private int gettersToFailure;
  private int settersToFailure;
  private int failures;
  private RuntimeException failure = new IllegalArgumentException("not yet");

  /**
   * Makes a handle.
   *
   * @param name what messages call it
   * @param at where it looks at first
   * @param log gets a line for each move: name and the address in hexadecimal
   */
  public LoggingHandle(String name, StreamHandle at, List<String> log) {
    this.name = name;
    this.at = at;
    this.log = log;
  }

  static List<LoggingHandle> three(StreamHandle at, List<String> log) {
    List<LoggingHandle> handles = new ArrayList<>();
    for (String name : List.of("blas", "dnn", "lt")) {
      handles.add(new LoggingHandle(name, at, log));
    }
    return handles;
  }

  /** Lets the n-th question from now fail. */
  void failGetter(int n) {
    gettersToFailure = n;
    failure = new IllegalStateException(name + " does not say where it is");
  }

  /** Lets the n-th move from now fail, and some after it; the handle stays where it is then. */
  void failSetter(int n, int times) {
    settersToFailure = n;
    failures = times;
    failure = new IllegalStateException(name + " does not move");
  }

  /** What the failures that were asked for throw. */
  void failWith(RuntimeException one) {
    failure = one;
  }

  RuntimeException failure() {
    return failure;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public StreamHandle stream() {
    if (gettersToFailure > 0 && --gettersToFailure == 0) {
      throw failure;
    }
    return at;
  }

  @Override
  public void setStream(StreamHandle stream) {
    if (failures > 0 && --settersToFailure <= 0) {
      failures--;
      throw failure;
    }
    log.add(move(name, stream));
    at = stream;
  }

  static String move(String name, StreamHandle to) {
    return name + "->" + Long.toHexString(to.address());
  }
}
