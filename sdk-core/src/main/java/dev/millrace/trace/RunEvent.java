package dev.millrace.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A run in a flight recording, from the end of its submission to its completion. */
@Name("dev.millrace.Run")
@Label("Run")
@Category("Millrace")
@Description("A program ran on a stream; committed by the thread that saw it done")
@Threshold("0 ns")
@StackTrace(false)
final class RunEvent extends Event {
  @Label("Nano Time")
  @Description("System.nanoTime() in nanoseconds at which the submission began")
  long nanoTime;

  @Label("Submission Time")
  @Description("How long the submitting thread was busy with it")
  @Timespan(Timespan.NANOSECONDS)
  long submissionTime;

  @Label("Response Time")
  @Description("From the begin of the submission until all its work was done")
  @Timespan(Timespan.NANOSECONDS)
  long responseTime;

  @Label("Run")
  long run;

  @Label("Program")
  @Nullable String program;

  @Label("Mode")
  @Description("EXTERNAL: on the caller's stream. FORK_JOIN: on the own stream, joined by events")
  @Nullable String mode;

  @Label("Lane")
  int lane;

  @Label("Home Stream")
  @Description("Id of the caller's stream")
  long homeStream;

  @Label("Own Stream")
  @Description("Id of the program's own stream, or 0")
  long ownStream;

  @Label("Caller")
  @Nullable String caller;

  @Label("Iteration")
  long iteration;

  @Label("Submitter")
  @Description("The thread that submitted it")
  @Nullable Thread submitter;

  @Label("Failure")
  @Description("Null when it succeeded")
  @Nullable String failure;

  void submitted(TraceEvent.RunSubmitted e) {
    nanoTime = e.beginNs();
    submissionTime = e.endNs() - e.beginNs();
    run = e.run();
    program = e.program();
    mode = e.mode().name();
    lane = e.lane();
    homeStream = e.homeStream();
    ownStream = e.ownStream();
    caller = e.caller();
    iteration = e.iteration();
    submitter = Thread.currentThread();
  }

  void completed(TraceEvent.RunCompleted e) {
    responseTime = e.atNs() - nanoTime;
    failure = e.failure();
  }
}
