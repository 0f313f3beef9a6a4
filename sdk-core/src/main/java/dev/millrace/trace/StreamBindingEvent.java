package dev.millrace.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A binding or its end in a flight recording. */
@Name("dev.millrace.StreamBinding")
@Label("Stream Binding")
@Category("Millrace")
@Description("A context or a library handle was pointed from one stream to another")
@Threshold("0 ns")
@StackTrace(false)
final class StreamBindingEvent extends Event {
  @Label("Nano Time")
  @Description("System.nanoTime() in nanoseconds")
  long nanoTime;

  @Label("Participant")
  @Nullable String participant;

  @Label("From Stream")
  @Description("Id of the stream it pointed to before")
  long fromStream;

  @Label("To Stream")
  @Description("Id of the stream it points to now")
  long toStream;

  @Label("Restore")
  @Description("Whether it was put back where it was")
  boolean restore;

  @Label("Run")
  @Description("Id of the run on whose behalf, or 0")
  long run;

  void set(TraceEvent.StreamBound e) {
    nanoTime = e.atNs();
    participant = e.participant();
    fromStream = e.from();
    toStream = e.to();
    restore = e.restore();
    run = e.run();
  }
}
