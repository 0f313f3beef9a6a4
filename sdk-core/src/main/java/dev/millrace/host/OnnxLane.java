package dev.millrace.host;

import dev.millrace.spi.EngineLane;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.PreparedArguments;

/** A lane of a session, which needs nothing of its own. */
final class OnnxLane implements EngineLane {
  private final OnnxProgram program;

  OnnxLane(OnnxProgram program) {
    this.program = program;
  }

  @Override
  public void enqueue(PreparedArguments arguments, long stream, InFlightRun run) {
    program.driver().call(stream, work(arguments, stream, run));
  }

  private HostWork work(PreparedArguments arguments, long stream, InFlightRun run) {
    OnnxArguments mine = (OnnxArguments) arguments;
    if (mine.program() != program) {
      throw new IllegalArgumentException(
          "run program=" + program.name() + ": arguments were prepared by another program");
    }
    OnnxProfile profile = program.profile();
    HostWork work = new OnnxRun(mine, run);
    return profile == null ? work : profile.recording(work, program.driver().traceId(stream));
  }

  @Override
  public void close() {}
}
