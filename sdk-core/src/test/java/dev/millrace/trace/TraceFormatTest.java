package dev.millrace.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.trace.TraceFile.Row;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceFormatTest {
  @TempDir Path folder;

  private TraceFile record(List<TraceEvent> events) throws IOException {
    Path file = folder.resolve("trace.json");
    try (TraceSession _ = TraceSession.start(file)) {
      events.forEach(Trace::emit);
    }
    return TraceFile.read(file);
  }

  static List<TraceEvent> everyKind() {
    return Samples.oneOfEach();
  }

  @Test
  void samplesCoverEveryKind() {
    assertThat(Samples.oneOfEach().stream().<Object>map(TraceEvent::getClass))
        .containsExactlyInAnyOrder((Object[]) TraceEvent.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void keepsEveryFieldOfAnEvent(TraceEvent event) throws Exception {
    TraceFile file = record(List.of(event));

    Row row = file.ofKind(event.getClass()).getFirst();
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(event);
      if (component.getName().equals("name")) {
        assertThat(row.text("name")).isEqualTo(value);
      } else {
        assertThat(row.args())
            .as("args")
            .containsEntry(component.getName(), written(component, value, file.baseNs()));
      }
    }
  }

  /** What the format's page says of a value. */
  private static Object written(RecordComponent component, Object value, long baseNs) {
    return switch (value) {
      case Long time when component.getName().endsWith("Ns") -> time - baseNs;
      case Long address when component.getName().equals("address") ->
          "0x" + Long.toUnsignedString(address, 16);
      case Integer number -> number.longValue();
      case Enum<?> word -> word.name();
      default -> value;
    };
  }

  @Test
  void writesNullForARunThatSucceeded() throws IOException {
    TraceFile file = record(List.of(new TraceEvent.RunCompleted(1, System.nanoTime(), null)));

    assertThat(file.ofKind(TraceEvent.RunCompleted.class).getFirst().args())
        .containsEntry("failure", null);
  }

  @Test
  void isOneJsonArrayOnceClosed() throws IOException {
    TraceFile lines = record(Samples.oneOfEach());

    assertThat(TraceFile.readArray(folder.resolve("trace.json"))).isEqualTo(lines);
  }

  @Test
  void beginsWithTheHeaderAndEndsWithTheFooter() throws IOException {
    long before = System.nanoTime();
    TraceFile file = record(Samples.oneOfEach());
    long after = System.nanoTime();

    Row header = file.rows().getFirst();
    assertThat(header.text("name")).isEqualTo("millrace.header");
    assertThat(header.args())
        .containsEntry("format", "millrace-trace")
        .containsEntry("version", 1L)
        .containsEntry("recorder", "sdk")
        .containsEntry("process", ProcessHandle.current().pid())
        .containsEntry("clock", "System.nanoTime")
        .containsEntry("kinds", KindCounts.names());
    assertThat(file.baseNs()).isBetween(before, after);
    Row footer = file.rows().getLast();
    assertThat(footer.text("name")).isEqualTo("millrace.footer");
    assertThat(footer.argNumber("atNs") + file.baseNs()).isBetween(before, after);
    assertThat(footer.argNumber("lastId")).isEqualTo(Trace.lastId());
  }

  @Test
  void footerCountsTheRowsOfEachKind() throws IOException {
    TraceFile file = record(Samples.oneOfEach());

    Map<String, Long> counted =
        file.rows().stream()
            .map(row -> row.text("cat"))
            .filter(KindCounts.names()::contains)
            .collect(Collectors.groupingBy(kind -> kind, Collectors.counting()));
    assertThat(file.rows().getLast().arg("rows")).isEqualTo(counted);
    assertThat(file.rows().getLast().arg("dropped")).isEqualTo(Map.of());
  }

  @Test
  void relatesTheTwoClocksAtStartAndEnd() throws IOException {
    long wallBefore = nanos(Instant.now());
    TraceFile file = record(List.of());
    long wallAfter = nanos(Instant.now());

    List<Row> clocks = file.meta("millrace.clock");
    assertThat(clocks.stream().map(row -> row.arg("when"))).startsWith("start").endsWith("end");
    assertThat(clocks)
        .allSatisfy(
            row -> {
              assertThat(row.argNumber("wallNs")).isBetween(wallBefore, wallAfter);
              assertThat(row.argNumber("errorNs")).isPositive();
            });
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000L + at.getNano();
  }

  @Test
  void writesMicrosecondsThatLoseNoNanosecond() throws IOException {
    long later = System.nanoTime() + 3_600_000_000_000L;
    List<TraceEvent> calls =
        Stream.of(0L, 1L, 9L, 10L, 99L, 100L, 999L, 1000L, 123_456_789L)
            .<TraceEvent>map(ns -> Samples.call("at " + ns, later + ns))
            .toList();
    TraceFile file = record(calls);

    assertThat(file.ofKind(TraceEvent.ApiCall.class))
        .hasSameSizeAs(calls)
        .allSatisfy(
            row -> {
              assertThat(row.nanos("ts")).isEqualTo(row.argNumber("beginNs"));
              assertThat(row.nanos("ts") + row.nanos("dur")).isEqualTo(row.argNumber("endNs"));
            });
    assertThat(Files.readString(folder.resolve("trace.json")))
        .containsPattern("\"ts\":\\d+\\.\\d{3},\"dur\":1\\.234,");
  }

  @Test
  void drawsWhatBeganBeforeTheSessionFromItsBegin() throws IOException {
    long early = System.nanoTime() - 1_000_000_000L;
    TraceFile file = record(List.of(Samples.work(5, 1, early, early + 2_000_000_000L)));

    Row row = file.ofKind(TraceEvent.DeviceWork.class).getFirst();
    assertThat(row.argNumber("beginNs")).isEqualTo(early - file.baseNs()).isNegative();
    assertThat(row.nanos("ts")).isZero();
    assertThat(row.nanos("dur")).isEqualTo(row.argNumber("endNs"));
  }

  static List<String> hardNames() {
    return List.of(
        "",
        "\"quoted\" \\ and / and {[,]}",
        "a\nb\tc\rd\be\f" + (char) 0 + (char) 1 + (char) 0x1f + (char) 0x7f,
        "\u2028 \u00e4\u6f22 \ud83d\ude80",
        "x".repeat(500),
        "\ud83d\ude80".repeat(9000));
  }

  @ParameterizedTest
  @MethodSource("hardNames")
  void keepsHardNames(String name) throws IOException {
    TraceFile file = record(List.of(Samples.call(name, System.nanoTime())));

    assertThat(file.ofKind(TraceEvent.ApiCall.class).getFirst().text("name")).isEqualTo(name);
  }

  @Test
  void replacesHalfASurrogatePairAndGoesOn() throws IOException {
    long now = System.nanoTime();
    TraceFile file =
        record(List.of(Samples.call("a\ud83db", now), Samples.call("\ude80", now), call(now)));

    assertThat(file.ofKind(TraceEvent.ApiCall.class).stream().map(row -> row.text("name")))
        .containsExactly("a?b", "?", "next");
  }

  private static TraceEvent call(long atNs) {
    return Samples.call("next", atNs);
  }

  @Test
  void isReadableUpToACutAtAnyByte() throws IOException {
    List<TraceEvent> events = Samples.oneOfEach();
    TraceFile whole = record(events);
    byte[] bytes = Files.readAllBytes(folder.resolve("trace.json"));

    for (int cut = 0; cut < bytes.length; cut++) {
      int length = cut;
      List<Row> rows = TraceFile.parse(bytes, length).rows();
      long lines = Math.max(0, newlines(bytes, cut) - 1); // The first is the array's bracket.
      assertThat(rows)
          .as("cut at %d", cut)
          .hasSize((int) lines)
          .isEqualTo(whole.rows().subList(0, rows.size()));
    }
  }

  private static long newlines(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    return text.chars().filter(c -> c == '\n').count();
  }

  @Test
  void namesThreadsAndStreamsAndDevices() throws IOException {
    String before = Thread.currentThread().getName();
    Path file = folder.resolve("trace.json");
    try (TraceSession _ = TraceSession.start(file)) {
      Trace.emit(Samples.opened(1, System.nanoTime()));
      Thread.currentThread().setName("renamed \"x\"");
      Trace.emit(Samples.call("call", System.nanoTime()));
      // Names are read when rows are written: keep this one until then.
    } finally {
      Thread.currentThread().setName(before);
    }

    TraceFile trace = TraceFile.read(file);
    long pid = ProcessHandle.current().pid();
    assertThat(named(trace, "process_name"))
        .containsEntry(List.of(pid, 0L), "java " + pid)
        .containsEntry(List.of(1_000_000_001L, 0L), "host:0");
    assertThat(named(trace, "thread_name"))
        .containsEntry(List.of(1_000_000_001L, 1L), "stream 1 caller")
        .containsEntry(List.of(pid, Thread.currentThread().threadId()), "renamed \"x\"");
    assertThat(trace.meta("millrace.device").getFirst().args())
        .isEqualTo(Map.of("device", "host:0", "devicePid", 1_000_000_001L));
  }

  private static Map<List<Long>, Object> named(TraceFile trace, String meta) {
    Map<List<Long>, Object> names = new HashMap<>();
    trace
        .meta(meta)
        .forEach(row -> names.put(List.of(row.number("pid"), row.number("tid")), row.arg("name")));
    return names;
  }

  @Test
  void knowsStreamsThatWereOpenedBeforeTheSession() throws IOException {
    long early = System.nanoTime();
    Trace.streamOpened(Samples.opened(71, early));
    Trace.streamOpened(Samples.opened(72, early));
    Trace.streamClosed(new TraceEvent.StreamClosed(72, System.nanoTime()));
    try {
      TraceFile file = record(List.of(Samples.work(71, 1, System.nanoTime(), System.nanoTime())));

      Row opened = file.ofKind(TraceEvent.StreamOpened.class).getFirst();
      assertThat(file.ofKind(TraceEvent.StreamOpened.class)).hasSize(1);
      assertThat(opened.argNumber("stream")).isEqualTo(71);
      assertThat(opened.argNumber("atNs")).isEqualTo(early - file.baseNs()).isNegative();
      assertThat(file.ofKind(TraceEvent.DeviceWork.class).getFirst().number("pid"))
          .isEqualTo(1_000_000_001L);
    } finally {
      Trace.streamClosed(new TraceEvent.StreamClosed(71, System.nanoTime()));
    }
  }

  @Test
  void putsWorkOfUnknownStreamsUnderADeviceOfItsOwn() throws IOException {
    TraceFile file = record(List.of(Samples.work(8, 1, System.nanoTime(), System.nanoTime())));

    Row work = file.ofKind(TraceEvent.DeviceWork.class).getFirst();
    assertThat(work.number("pid")).isEqualTo(1_000_000_000L);
    assertThat(named(file, "process_name"))
        .containsEntry(List.of(1_000_000_000L, 0L), "unknown device");
  }

  @Test
  void givesEveryRowWhatViewersNeed() throws IOException {
    TraceFile file = record(Samples.oneOfEach());

    assertThat(file.rows())
        .allSatisfy(
            row -> {
              assertThat(row.text("ph")).isIn("M", "X", "i", "s", "f");
              assertThat(row.text("name")).isNotEmpty();
              // Perfetto keeps both in 32 bits, and takes a missing one for 0.
              assertThat(row.number("pid")).isBetween(1L, 0xffff_ffffL);
              assertThat(row.number("tid")).isBetween(0L, 0xffff_ffffL);
              assertThat(row.nanos("ts")).isNotNegative();
            });
    assertThat(file.phase("X")).allSatisfy(row -> assertThat(row.nanos("dur")).isNotNegative());
    assertThat(file.phase("i")).allSatisfy(row -> assertThat(row.text("s")).isEqualTo("t"));
    assertThat(file.phase("X"))
        .allSatisfy(row -> assertThat(Objects.toString(row.fields().get("cat"))).isNotEmpty());
  }

  @Test
  void listsEveryKindOnThePage() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "trace-format.md"));

    for (Class<?> kind : TraceEvent.class.getPermittedSubclasses()) {
      String section = section(page, kind.getSimpleName());
      for (RecordComponent component : kind.getRecordComponents()) {
        String field = component.getName();
        if (!field.equals("name")) {
          assertThat(section).as("section %s", kind.getSimpleName()).contains("`" + field + "`");
        }
      }
    }
  }

  private static String section(String page, String kind) {
    int begin = page.indexOf("### `" + kind + "`");
    assertThat(begin).as("section %s", kind).isNotNegative();
    int end = page.indexOf("\n##", begin + 1);
    return page.substring(begin, end < 0 ? page.length() : end);
  }
}
