package dev.millrace.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * A host synchronisation in a flight recording. It has a stack trace, for who waits is what one
 * wants to know of it.
 */
@Name("dev.millrace.HostSync")
@Label("Host Synchronisation")
@Category("Millrace")
@Description("A thread waited for a stream or an event")
@Threshold("0 ns")
final class HostSyncEvent extends Event {
  @Label("Nano Time")
  @Description("System.nanoTime() in nanoseconds at which the wait began")
  long nanoTime;

  @Label("Waited")
  @Description("How long the thread waited")
  @Timespan(Timespan.NANOSECONDS)
  long waited;

  @Label("Stream")
  @Description("Id of the stream waited for")
  long stream;

  @Label("Event")
  @Description("Id of the event waited for, or 0")
  long event;

  @Label("Generation")
  @Description("Which record of that event")
  long generation;

  @Label("Mode")
  @Description("BLOCKED: parked until the work was done. INLINE: ran the work itself")
  @Nullable String mode;

  @Label("Run")
  @Description("Id of the run on whose behalf, or 0")
  long run;

  void set(TraceEvent.HostSynced e) {
    nanoTime = e.beginNs();
    waited = e.endNs() - e.beginNs();
    stream = e.stream();
    event = e.event();
    generation = e.generation();
    mode = e.how().name();
    run = e.run();
  }
}
