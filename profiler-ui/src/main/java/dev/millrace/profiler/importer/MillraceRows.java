package dev.millrace.profiler.importer;

import dev.millrace.profiler.model.Bindings;
import dev.millrace.profiler.model.Calls;
import dev.millrace.profiler.model.HostSyncs;
import dev.millrace.profiler.model.LaneWaits;
import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.Ranges;
import dev.millrace.profiler.model.Records;
import dev.millrace.profiler.model.Runs;
import dev.millrace.profiler.model.Streams;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.model.TraceModelBuilder;
import dev.millrace.profiler.model.Waits;

/** Puts the event rows of a Millrace trace into a model; {@code docs/trace-format.md}, part 6. */
final class MillraceRows {
  private final TraceModelBuilder model = new TraceModelBuilder();
  private final EventFields fields;
  private final Troubles troubles;
  private long rows;

  MillraceRows(EventFields fields, Troubles troubles) {
    this.fields = fields;
    this.troubles = troubles;
  }

  /** How many event rows were there, good or bad. */
  long count() {
    return rows;
  }

  /** The model of all rows that were added. */
  TraceModel build() {
    TraceModel trace = model.build();
    for (int stream = 0; stream < trace.streams().size(); stream++) {
      if (trace.streams().role(stream) == Streams.Role.UNKNOWN) {
        troubles.add(TroubleKind.UNOPENED_STREAM, "stream=" + trace.streams().id(stream));
      }
    }
    return trace;
  }

  void nameThread() {
    model.nameThread(model.thread(fields.number("tid")), fields.text("args.name"));
  }

  /** Adds the row that the fields hold. */
  void add(String kind) {
    rows++;
    switch (kind) {
      case "StreamOpened" -> streamOpened();
      case "StreamClosed" -> model.closeStream(stream("stream"), number("atNs"));
      case "ApiCall" -> apiCall();
      case "DeviceWork" -> deviceWork();
      case "EventRecorded" -> eventRecorded();
      case "EventCompleted" ->
          model.completeRecord(number("event"), number("generation"), number("atNs"));
      case "EventWaited" -> eventWaited();
      case "HostSynced" -> hostSynced();
      case "RunSubmitted" -> runSubmitted();
      case "RunCompleted" ->
          model.completeRun(number("run"), number("atNs"), fields.text("args.failure", ""));
      case "StreamBound" -> streamBound();
      case "LaneWaited" -> laneWaited();
      case "Range" -> range();
      default -> troubles.add(TroubleKind.UNKNOWN_KIND, kind);
    }
  }

  private void streamOpened() {
    model.openStream(
        stream("stream"),
        text("device"),
        address(text("address")),
        fields.flag("args.blocking"),
        fields.word("args.role", Streams.Role.class),
        number("atNs"));
  }

  private void apiCall() {
    model.add(
        new Calls.Row(
            fields.text("name"),
            thread(),
            number("beginNs"),
            endNs(),
            number("correlation"),
            fields.count("args.result"),
            stream("stream"),
            number("event"),
            number("generation"),
            number("bytes"),
            number("run")));
  }

  private void deviceWork() {
    model.add(
        new Operations.Row(
            fields.word("args.kind", Operations.Kind.class),
            fields.text("name"),
            number("correlation"),
            stream("stream"),
            number("index"),
            number("beginNs"),
            endNs(),
            number("run")));
  }

  private void eventRecorded() {
    model.add(
        new Records.Row(
            number("event"),
            number("generation"),
            stream("stream"),
            number("index"),
            number("correlation"),
            number("atNs"),
            number("run")));
  }

  private void eventWaited() {
    model.add(
        new Waits.Row(
            stream("stream"),
            number("index"),
            number("event"),
            number("generation"),
            stream("sourceStream"),
            number("sourceIndex"),
            fields.word("args.disposition", Waits.Disposition.class),
            number("correlation"),
            number("atNs"),
            number("run")));
  }

  private void hostSynced() {
    model.add(
        new HostSyncs.Row(
            thread(),
            number("beginNs"),
            endNs(),
            stream("stream"),
            number("event"),
            number("generation"),
            fields.word("args.how", HostSyncs.How.class),
            number("run")));
  }

  private void runSubmitted() {
    model.add(
        new Runs.Row(
            number("run"),
            text("caller"),
            number("iteration"),
            fields.word("args.mode", Runs.Mode.class),
            text("program"),
            fields.count("args.lane"),
            stream("homeStream"),
            stream("ownStream"),
            thread(),
            number("beginNs"),
            endNs()));
  }

  private void streamBound() {
    model.add(
        new Bindings.Row(
            text("participant"),
            stream("from"),
            stream("to"),
            fields.flag("args.restore"),
            thread(),
            number("atNs"),
            number("run")));
  }

  private void laneWaited() {
    model.add(
        new LaneWaits.Row(
            number("run"), fields.count("args.lane"), number("waitedForRun"), number("atNs")));
  }

  private void range() {
    model.add(
        new Ranges.Row(
            fields.text("name"),
            text("caller"),
            number("iteration"),
            thread(),
            number("beginNs"),
            endNs()));
  }

  private long number(String name) {
    return fields.number("args." + name);
  }

  private String text(String name) {
    return fields.text("args." + name);
  }

  private int stream(String name) {
    return model.stream(number(name));
  }

  private int thread() {
    return model.thread(number("thread"));
  }

  private long endNs() {
    long beginNs = number("beginNs");
    long endNs = number("endNs");
    if (endNs < beginNs) {
      troubles.add(TroubleKind.NEGATIVE_DURATION, fields.text("name") + " at beginNs=" + beginNs);
      return beginNs;
    }
    return endNs;
  }

  private static long address(String hexadecimal) {
    try {
      return Long.parseUnsignedLong(hexadecimal.substring(2), 16);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new MalformedRowException("address=" + hexadecimal + " is no 0x number");
    }
  }
}
