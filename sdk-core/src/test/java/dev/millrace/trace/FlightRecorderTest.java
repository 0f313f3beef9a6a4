package dev.millrace.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {
  private static final List<String> NAMES =
      List.of(
          "dev.millrace.Run",
          "dev.millrace.StreamBinding",
          "dev.millrace.HostSync",
          "dev.millrace.LaneWait");

  @TempDir Path folder;

  @BeforeAll
  static void watch() {
    TraceSession.startFromProperties();
  }

  @AfterEach
  void isOffAgain() {
    assertThat(Trace.isOn()).isFalse();
  }

  private List<RecordedEvent> record(List<TraceEvent> events) throws IOException {
    Path file = folder.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      assertThat(Trace.isOn()).isTrue();
      events.forEach(Trace::emit);
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> NAMES.contains(event.getEventType().getName()))
        .toList();
  }

  private RecordedEvent only(String name, List<TraceEvent> events) throws IOException {
    List<RecordedEvent> found =
        record(events).stream().filter(e -> e.getEventType().getName().equals(name)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void recordsFourKindsByDefaultAndNoOther() throws IOException {
    assertThat(record(Samples.oneOfEach()).stream().map(e -> e.getEventType().getName()))
        .containsExactlyInAnyOrderElementsOf(NAMES);
  }

  @Test
  void recordsARunFromSubmissionToCompletion() throws IOException {
    long thread = Thread.currentThread().threadId();
    RecordedEvent run =
        only(
            "dev.millrace.Run",
            List.of(
                new TraceEvent.RunSubmitted(
                    5, "c", 3, TraceEvent.Mode.EXTERNAL, "p", 2, 11, 12, thread, 100, 140),
                new TraceEvent.RunCompleted(5, 1100, "broke")));

    assertThat(run.getLong("nanoTime")).isEqualTo(100);
    assertThat(run.getDuration("submissionTime").toNanos()).isEqualTo(40);
    assertThat(run.getDuration("responseTime").toNanos()).isEqualTo(1000);
    assertThat(run.getLong("run")).isEqualTo(5);
    assertThat(run.getString("program")).isEqualTo("p");
    assertThat(run.getString("mode")).isEqualTo("EXTERNAL");
    assertThat(run.getInt("lane")).isEqualTo(2);
    assertThat(run.getLong("homeStream")).isEqualTo(11);
    assertThat(run.getLong("ownStream")).isEqualTo(12);
    assertThat(run.getString("caller")).isEqualTo("c");
    assertThat(run.getLong("iteration")).isEqualTo(3);
    assertThat(run.getThread("submitter").getJavaThreadId()).isEqualTo(thread);
    assertThat(run.getString("failure")).isEqualTo("broke");
  }

  @Test
  void recordsARunThatWasDoneBeforeItsSubmissionWasSaid() throws IOException {
    RecordedEvent run =
        only(
            "dev.millrace.Run",
            List.of(
                new TraceEvent.RunCompleted(6, 300, null),
                new TraceEvent.RunSubmitted(
                    6, "c", 0, TraceEvent.Mode.FORK_JOIN, "p", 0, 1, 2, 1, 100, 350)));

    assertThat(run.getDuration("responseTime").toNanos()).isEqualTo(200);
    assertThat(run.getString("failure")).isNull();
  }

  @Test
  void recordsWhoWaitedAndForHowLong() throws IOException {
    RecordedEvent sync =
        only(
            "dev.millrace.HostSync",
            List.of(
                new TraceEvent.HostSynced(1, 1000, 1700, 3, 4, 5, TraceEvent.HostWait.INLINE, 6)));

    assertThat(sync.getLong("nanoTime")).isEqualTo(1000);
    assertThat(sync.getDuration("waited").toNanos()).isEqualTo(700);
    assertThat(sync.getLong("stream")).isEqualTo(3);
    assertThat(sync.getLong("event")).isEqualTo(4);
    assertThat(sync.getLong("generation")).isEqualTo(5);
    assertThat(sync.getString("mode")).isEqualTo("INLINE");
    assertThat(sync.getLong("run")).isEqualTo(6);
    assertThat(sync.getStackTrace().getFrames())
        .anyMatch(frame -> frame.getMethod().getType().getName().equals(getClass().getName()));
  }

  @Test
  void recordsBindings() throws IOException {
    RecordedEvent binding =
        only(
            "dev.millrace.StreamBinding",
            List.of(new TraceEvent.StreamBound("rocblas", 1, 2, true, 1, 900, 3)));

    assertThat(binding.getLong("nanoTime")).isEqualTo(900);
    assertThat(binding.getString("participant")).isEqualTo("rocblas");
    assertThat(binding.getLong("fromStream")).isEqualTo(1);
    assertThat(binding.getLong("toStream")).isEqualTo(2);
    assertThat(binding.getBoolean("restore")).isTrue();
    assertThat(binding.getLong("run")).isEqualTo(3);
  }

  @Test
  void recordsTakenLanes() throws IOException {
    RecordedEvent wait =
        only("dev.millrace.LaneWait", List.of(new TraceEvent.LaneWaited(8, 1, 7, 950)));

    assertThat(wait.getLong("nanoTime")).isEqualTo(950);
    assertThat(wait.getLong("run")).isEqualTo(8);
    assertThat(wait.getInt("lane")).isEqualTo(1);
    assertThat(wait.getLong("waitedForRun")).isEqualTo(7);
  }

  @Test
  void saysWhatEachEventAndFieldIs() {
    for (Class<? extends jdk.jfr.Event> type :
        List.of(
            RunEvent.class, StreamBindingEvent.class, HostSyncEvent.class, LaneWaitEvent.class)) {
      EventType event = EventType.getEventType(type);
      assertThat(event.getLabel()).isNotEqualTo(type.getSimpleName());
      assertThat(event.getDescription()).isNotBlank();
      assertThat(event.getField("nanoTime").getDescription()).contains("nanoseconds");
      assertThat(event.getFields()).allSatisfy(field -> assertThat(field.getLabel()).isNotBlank());
    }
  }

  @Test
  void isOffForARecordingThatWantsNoneOfThem() {
    try (Recording recording = new Recording()) {
      NAMES.forEach(recording::disable);
      recording.start();
      assertThat(Trace.isOn()).isFalse();
    }
  }

  @Test
  void isOnForARecordingThatWantsOneOfThem() {
    try (Recording recording = new Recording()) {
      NAMES.forEach(recording::disable);
      recording.enable("dev.millrace.LaneWait");
      recording.start();
      assertThat(Trace.isOn()).isTrue();
    }
  }

  @Test
  void isOnWhileAStreamIsRead() {
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("dev.millrace.Run");
      stream.startAsync();
      assertThat(Trace.isOn()).isTrue();
    }
  }

  @Test
  void recordsBesideASession() throws IOException {
    Path file = folder.resolve("trace.json");
    TraceEvent wait = new TraceEvent.LaneWaited(8, 1, 7, System.nanoTime());
    try (TraceSession _ = TraceSession.start(file)) {
      assertThat(record(List.of(wait))).hasSize(1);
      assertThat(Trace.isOn()).isTrue();
      Trace.emit(wait);
    }

    assertThat(TraceFile.read(file).ofKind(TraceEvent.LaneWaited.class)).hasSize(2);
  }
}
