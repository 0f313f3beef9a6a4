package dev.millrace.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process that traces, for tests of how one ends: {@link TraceProcessTest} starts it. */
final class TracedProcess {
  private TracedProcess() {}

  /** The argument says how it ends. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args[0].equals("api")) {
      startAndForget(Path.of(args[1]));
    } else {
      TraceSession.startFromProperties();
      TraceSession.startFromProperties();
    }
    System.out.println("on=" + Trace.isOn());
    List<TraceEvent> events = Samples.oneOfEach();
    events.forEach(Trace::emit);
    switch (args[0]) {
      case "exit" -> System.exit(3);
      case "halt" -> emitForEver();
      default -> {}
    }
  }

  @SuppressWarnings("resource") // The shutdown hook closes it: that is the test.
  private static void startAndForget(Path file) throws IOException {
    TraceSession.start(file);
  }

  private static void emitForEver() throws InterruptedException {
    while (true) {
      for (int i = 0; i < 50; i++) {
        Trace.emit(Samples.call("call", System.nanoTime()));
      }
      Thread.sleep(1);
    }
  }
}
