package dev.millrace.stream;

import dev.millrace.spi.StreamState;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** What a stream with outstanding work is doing, said each second of a recording. */
@Name("dev.millrace.StreamState")
@Label("Stream State")
@Description("What a stream with outstanding work is doing or waiting for")
@Category("Millrace")
@Period("1 s")
@StackTrace(false)
final class StreamStateEvent extends Event {
  @Label("Device")
  @Nullable String device;

  @Label("Stream")
  @Description("The id under which the trace knows it")
  long stream;

  @Label("State")
  @Nullable String state;

  @Label("For")
  @Timespan(Timespan.NANOSECONDS)
  long standingNs;

  @Label("Queued")
  @Description("How many things are queued behind")
  int queued;

  @Label("Nano Time")
  @Description("System.nanoTime() at which it was so, the clock of Millrace's trace")
  long nanoTime;

  void set(String label, StreamState now) {
    device = label;
    stream = now.stream();
    state = now.state();
    queued = now.queued();
    nanoTime = System.nanoTime();
    standingNs = nanoTime - now.sinceNs();
  }
}
