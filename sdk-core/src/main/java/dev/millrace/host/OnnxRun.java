package dev.millrace.host;

import dev.millrace.spi.HostWork;
import dev.millrace.spi.InFlightRun;
import dev.millrace.trace.TraceEvent.WorkKind;

/** One run on its way through a stream: all that a submission allocates here. */
final class OnnxRun implements HostWork {
  private final OnnxArguments arguments;
  private final InFlightRun run;

  OnnxRun(OnnxArguments arguments, InFlightRun run) {
    this.arguments = arguments;
    this.run = run;
  }

  @Override
  public void run() {
    try {
      arguments.program().run(arguments, run.id());
    } catch (RuntimeException | Error e) {
      run.fail(e); // the run's failure, not the stream's: it says so itself
    }
  }

  @Override
  public String name() {
    return arguments.program().name();
  }

  @Override
  public WorkKind kind() {
    return WorkKind.PROGRAM;
  }

  @Override
  public long runId() {
    return run.id();
  }
}
