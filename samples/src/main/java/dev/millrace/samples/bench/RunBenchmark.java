package dev.millrace.samples.bench;

import ai.onnxruntime.OrtException;
import dev.millrace.program.Run;
import org.openjdk.jmh.annotations.Benchmark;

/** A run that the caller waits for, and the same by ONNX Runtime alone. */
public class RunBenchmark {

  /** On the calling thread, since the program's own stream is idle. */
  @Benchmark
  public void programRun(LoadedTwice loaded) {
    try (Run _ = loaded.program.run(loaded.arguments)) {
      // done already
    }
  }

  /** What the one above calls in the end. */
  @Benchmark
  public void sessionRun(LoadedTwice loaded) throws OrtException {
    loaded.bare.run();
  }
}
