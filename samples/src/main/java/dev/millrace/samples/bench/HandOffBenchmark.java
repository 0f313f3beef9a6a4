package dev.millrace.samples.bench;

import dev.millrace.program.Run;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A run on the caller's stream, waited for: to another thread and back. Beside it that way with
 * nothing to do, and with ONNX Runtime's part of the run to do.
 */
public class HandOffBenchmark {
  /** Millrace's run. */
  @Benchmark
  public void runAsync(LoadedTwice loaded) {
    try (Run _ = loaded.program.runAsync(loaded.arguments, loaded.stream)) {
      loaded.stream.synchronize();
    }
  }

  /** Nothing but the way. */
  @Benchmark
  public void emptyFunction(LoadedTwice loaded) {
    loaded.stream.call(() -> {});
    loaded.stream.synchronize();
  }

  /** The way, with a run of ONNX Runtime at its end: what is left is the program's. */
  @Benchmark
  public void sessionRunInFunction(LoadedTwice loaded) {
    loaded.stream.call(loaded::runBare);
    loaded.stream.synchronize();
  }
}
