package dev.millrace.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A taken lane in a flight recording. */
@Name("dev.millrace.LaneWait")
@Label("Lane Wait")
@Category("Millrace")
@Description("A run was ordered behind another because its lane was taken")
@Threshold("0 ns")
@StackTrace(false)
final class LaneWaitEvent extends Event {
  @Label("Nano Time")
  @Description("System.nanoTime() in nanoseconds")
  long nanoTime;

  @Label("Run")
  long run;

  @Label("Lane")
  int lane;

  @Label("Waited For Run")
  @Description("Id of the run that has the lane")
  long waitedForRun;

  void set(TraceEvent.LaneWaited e) {
    nanoTime = e.atNs();
    run = e.run();
    lane = e.lane();
    waitedForRun = e.waitedForRun();
  }
}
