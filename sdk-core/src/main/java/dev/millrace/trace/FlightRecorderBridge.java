package dev.millrace.trace;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;

/**
 * Says four kinds of events to the JDK's flight recorder too. It listens to the trace only while a
 * recording wants one of them, so that a process without a recording pays nothing. Any thread.
 */
final class FlightRecorderBridge implements TraceSink, FlightRecorderListener {
  private static final List<Class<? extends Event>> EVENTS =
      List.of(RunEvent.class, StreamBindingEvent.class, HostSyncEvent.class, LaneWaitEvent.class);

  /**
   * Runs of which only the submission or only the completion was said: a quick run may be done
   * first.
   */
  private final ConcurrentHashMap<Long, Object> halves = new ConcurrentHashMap<>();

  private boolean installed;

  private FlightRecorderBridge() {}

  /** Follows the flight recorder from now on; once in a process. */
  static void watch() {
    if (!FlightRecorder.isAvailable()) {
      return;
    }
    FlightRecorderBridge bridge = new FlightRecorderBridge();
    FlightRecorder.addListener(bridge);
    // Asking for event types starts the recorder: only where it runs already.
    if (FlightRecorder.isInitialized()) {
      bridge.refresh();
    }
  }

  @Override
  public void recordingStateChanged(Recording recording) {
    refresh();
  }

  private synchronized void refresh() {
    boolean wanted = EVENTS.stream().map(EventType::getEventType).anyMatch(EventType::isEnabled);
    if (wanted != installed) {
      installed = wanted;
      halves.clear();
      Trace.installFlightRecorder(wanted ? this : null);
    }
  }

  @Override
  public void accept(TraceEvent event) {
    switch (event) {
      case TraceEvent.RunSubmitted e -> submitted(e);
      case TraceEvent.RunCompleted e -> completed(e);
      case TraceEvent.HostSynced e -> hostSynced(e);
      case TraceEvent.StreamBound e -> streamBound(e);
      case TraceEvent.LaneWaited e -> laneWaited(e);
      default -> {}
    }
  }

  private void submitted(TraceEvent.RunSubmitted e) {
    RunEvent run = new RunEvent();
    if (run.isEnabled()) {
      run.begin();
      run.submitted(e);
      if (halves.putIfAbsent(e.run(), run) instanceof TraceEvent.RunCompleted done) {
        commit(run, done);
      }
    }
  }

  private void completed(TraceEvent.RunCompleted e) {
    if (new RunEvent().isEnabled() && halves.putIfAbsent(e.run(), e) instanceof RunEvent run) {
      commit(run, e);
    }
  }

  private void commit(RunEvent run, TraceEvent.RunCompleted done) {
    halves.remove(run.run);
    run.completed(done);
    run.commit();
  }

  private static void hostSynced(TraceEvent.HostSynced e) {
    HostSyncEvent sync = new HostSyncEvent();
    if (sync.shouldCommit()) {
      sync.set(e);
      sync.commit();
    }
  }

  private static void streamBound(TraceEvent.StreamBound e) {
    StreamBindingEvent binding = new StreamBindingEvent();
    if (binding.shouldCommit()) {
      binding.set(e);
      binding.commit();
    }
  }

  private static void laneWaited(TraceEvent.LaneWaited e) {
    LaneWaitEvent wait = new LaneWaitEvent();
    if (wait.shouldCommit()) {
      wait.set(e);
      wait.commit();
    }
  }
}
