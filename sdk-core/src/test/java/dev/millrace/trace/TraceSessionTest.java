package dev.millrace.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.trace.TraceFile.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120) // Some wait for the writer, and must not wait for ever.
class TraceSessionTest {
  private static final String BUFFER = "millrace.trace.buffer";

  @TempDir Path folder;

  private final Logger logger = Logger.getLogger("dev.millrace.trace");
  private final List<String> warnings = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public synchronized void publish(LogRecord entry) {
          warnings.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listenToWarnings() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void leaveNothingOpen() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    System.clearProperty(BUFFER);
    assertThat(Trace.isOn()).isFalse();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("millrace-trace"));
  }

  private static TraceEvent call(String name) {
    return Samples.call(name, System.nanoTime());
  }

  @Test
  void refusesASecondSessionNamingTheFirst() throws IOException {
    Path first = folder.resolve("first.json");
    try (TraceSession session = TraceSession.start(first)) {
      Trace.emit(call("kept"));
      assertThatThrownBy(() -> TraceSession.start(first))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("file=" + first);
      assertThat(session.isOn()).isTrue();
      assertThat(session.file()).isEqualTo(first);
    }
    assertThat(TraceFile.read(first).ofKind(TraceEvent.ApiCall.class)).hasSize(1);
  }

  @Test
  void startsAgainAfterAClose() throws IOException {
    for (String name : List.of("a.json", "b.json", "a.json")) {
      try (TraceSession _ = TraceSession.start(folder.resolve(name))) {
        Trace.emit(call(name));
      }
      assertThat(TraceFile.readArray(folder.resolve(name)).ofKind(TraceEvent.ApiCall.class))
          .singleElement()
          .satisfies(row -> assertThat(row.text("name")).isEqualTo(name));
    }
  }

  @Test
  void reportsAFileThatCannotBeOpenedAndStaysOff() throws IOException {
    assertThatThrownBy(() -> TraceSession.start(folder.resolve("absent/trace.json")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> TraceSession.start(folder)).isInstanceOf(FileSystemException.class);
    assertThat(Trace.isOn()).isFalse();

    TraceSession.start(folder.resolve("trace.json")).close();
  }

  @Test
  void recordsNothingAfterItsClose() throws IOException {
    TraceSession session = TraceSession.start(folder.resolve("trace.json"));
    session.close();
    session.close();

    assertThat(session.isOn()).isFalse();
    Trace.emit(call("late"));
    assertThat(TraceFile.readArray(folder.resolve("trace.json")).ofKind(TraceEvent.ApiCall.class))
        .isEmpty();
  }

  @Test
  void closesOnAnInterruptedThreadAndKeepsTheInterrupt() throws IOException {
    TraceSession session = TraceSession.start(folder.resolve("trace.json"));
    Trace.emit(call("kept"));
    Thread.currentThread().interrupt();
    session.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(TraceFile.readArray(session.file()).ofKind(TraceEvent.ApiCall.class)).hasSize(1);
  }

  @Test
  void allocatesNothingWhileNobodyListens() throws ReflectiveOperationException {
    TraceEvent event = call("unheard");
    Allocation allocation = new Allocation();
    allocation.of(() -> emitMany(event)); // Loads and links.

    // A byte an event would be 100,000.
    assertThat(allocation.of(() -> emitMany(event))).isLessThan(1000);
  }

  private static void emitMany(TraceEvent event) {
    for (int i = 0; i < 100_000; i++) {
      if (Trace.isOn()) {
        throw new AssertionError("somebody listens");
      }
      Trace.emit(event);
      TraceSession.range("unheard").close();
    }
  }

  /** A disk that does not answer until it is let go. */
  private static final class HungDisk extends OutputStream {
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    final CountDownLatch letGo = new CountDownLatch(1);
    final CountDownLatch hangs = new CountDownLatch(1);

    @Override
    public void write(byte[] bytes, int offset, int length) {
      hangs.countDown();
      try {
        letGo.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      written.write(bytes, offset, length);
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }
  }

  @Test
  void dropsWhatDoesNotFitAndCountsItByKind() throws Exception {
    System.setProperty(BUFFER, "10");
    HungDisk disk = new HungDisk();
    TraceSession session = TraceSession.start(Path.of("hung"), disk);
    disk.hangs.await();
    for (int i = 0; i < 15; i++) {
      Trace.emit(call("call " + i));
    }
    Trace.emit(new TraceEvent.StreamClosed(3, System.nanoTime()));
    Trace.emit(new TraceEvent.StreamClosed(4, System.nanoTime()));

    assertThat(session.dropped()).isEqualTo(7);
    disk.letGo.countDown();
    session.close();
    TraceFile file = TraceFile.parse(disk.written.toByteArray(), Integer.MAX_VALUE);
    Map<String, Long> lost = Map.of("ApiCall", 5L, "StreamClosed", 2L);
    assertThat(file.meta("millrace.loss").getLast().arg("dropped")).isEqualTo(lost);
    assertThat(file.meta("millrace.footer").getFirst().arg("dropped")).isEqualTo(lost);
    assertThat(file.meta("millrace.footer").getFirst().arg("rows"))
        .isEqualTo(Map.of("ApiCall", 10L));
    assertThat(file.meta("millrace.header").getFirst().argNumber("bufferEvents")).isEqualTo(10);
    assertThat(file.ofKind(TraceEvent.ApiCall.class).stream().map(row -> row.text("name")))
        .containsExactly(LongStream.range(0, 10).mapToObj(i -> "call " + i).toArray(String[]::new));
  }

  @Test
  void warnsOfABufferThatMakesNoSense() throws IOException {
    for (String value : List.of("none", "0", "-5")) {
      System.setProperty(BUFFER, value);
      warnings.clear();
      Path file = folder.resolve("trace.json");
      TraceSession.start(file).close();

      assertThat(warnings).hasSize(1);
      assertThat(TraceFile.read(file).meta("millrace.header").getFirst().argNumber("bufferEvents"))
          .isEqualTo(262_144);
    }
  }

  @Test
  void keepsEachThreadsEventsInOrder() throws Exception {
    int threads = 8;
    int each = 5000;
    Path file = folder.resolve("trace.json");
    List<Thread> speakers = new ArrayList<>();
    try (TraceSession session = TraceSession.start(file)) {
      for (int t = 0; t < threads; t++) {
        Thread.Builder builder = t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        speakers.add(builder.name("speaker " + t).start(() -> emitNumbered(each)));
      }
      for (Thread speaker : speakers) {
        speaker.join();
      }
      assertThat(session.dropped()).isZero();
    }

    TraceFile trace = TraceFile.readArray(file);
    assertThat(trace.ofKind(TraceEvent.ApiCall.class)).hasSize(threads * each);
    for (Thread speaker : speakers) {
      assertThat(
              trace.ofKind(TraceEvent.ApiCall.class).stream()
                  .filter(row -> row.number("tid") == speaker.threadId())
                  .map(row -> row.argNumber("correlation")))
          .containsExactlyElementsOf(LongStream.range(0, each).boxed().toList());
      assertThat(trace.meta("thread_name"))
          .anyMatch(
              row ->
                  row.number("tid") == speaker.threadId()
                      && row.arg("name").equals(speaker.getName()));
    }
  }

  private static void emitNumbered(int count) {
    long thread = Thread.currentThread().threadId();
    for (int i = 0; i < count; i++) {
      long now = System.nanoTime();
      Trace.emit(new TraceEvent.ApiCall("call", thread, now, now + 1, i, 0, 0, 0, 0, 0, 0));
    }
  }

  @Test
  void flushesWithoutBeingClosed() throws Exception {
    Path file = folder.resolve("trace.json");
    try (TraceSession _ = TraceSession.start(file)) {
      Trace.emit(call("seen"));
      while (TraceFile.read(file).ofKind(TraceEvent.ApiCall.class).isEmpty()) {
        Thread.sleep(20);
      }
      assertThat(TraceFile.read(file).meta("millrace.footer")).isEmpty();
    }
  }

  /** A disk with so much room. */
  private static final class SmallDisk extends OutputStream {
    private final int room;
    private int used;

    SmallDisk(int room) {
      this.room = room;
    }

    @Override
    public void write(int b) throws IOException {
      if (++used > room) {
        throw new IOException("No space left on device");
      }
    }
  }

  @Test
  void endsWithOneWarningWhenTheDiskIsFull() throws Exception {
    for (int room : List.of(0, 100, 10_000)) {
      warnings.clear();
      TraceSession full = TraceSession.start(folder.resolve("small"), new SmallDisk(room));
      fill(full);
      TraceSession.start(folder.resolve("roomy")).close(); // The failed one is not in the way.
      full.close();

      assertThat(warnings)
          .singleElement()
          .satisfies(w -> assertThat(w).contains("file=" + folder.resolve("small")));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void endsWithOneWarningOnAFullDevice() throws Exception {
    TraceSession session = TraceSession.start(Path.of("/dev/full"));
    fill(session);
    session.close();

    assertThat(warnings).singleElement().satisfies(w -> assertThat(w).contains("/dev/full"));
  }

  /** Emits until the session has noticed, and then some. */
  private static void fill(TraceSession session) throws InterruptedException {
    while (session.isOn()) {
      for (int i = 0; i < 100; i++) {
        Trace.emit(call("unwritten"));
      }
      Thread.sleep(1);
    }
    assertThat(Trace.isOn()).isFalse();
    Trace.emit(call("unheard"));
  }

  @Test
  void rangesCarryTheIterationAroundThem() throws IOException {
    Path file = folder.resolve("trace.json");
    try (TraceSession _ = TraceSession.start(file)) {
      try (TraceRange _ = TraceSession.iteration("client 1", 7);
          TraceRange _ = TraceSession.range("preprocess")) {
        assertThat(Trace.currentCaller()).isEqualTo("client 1");
        assertThat(Trace.currentIteration()).isEqualTo(7);
      }
      TraceSession.range("outside").close();
    }

    List<Row> ranges = TraceFile.read(file).ofKind(TraceEvent.Range.class);
    assertThat(ranges.stream().map(row -> row.text("name")))
        .containsExactly("preprocess", "millrace.iteration", "outside");
    assertThat(ranges.stream().map(row -> row.arg("caller")))
        .containsExactly("client 1", "client 1", Thread.currentThread().getName());
    assertThat(ranges.stream().map(row -> row.argNumber("iteration"))).containsExactly(7L, 7L, 0L);
    Row inner = ranges.get(0);
    Row outer = ranges.get(1);
    assertThat(outer.argNumber("beginNs")).isLessThanOrEqualTo(inner.argNumber("beginNs"));
    assertThat(outer.argNumber("endNs")).isGreaterThanOrEqualTo(inner.argNumber("endNs"));
    assertThat(outer.number("tid")).isEqualTo(Thread.currentThread().threadId());
  }

  @Test
  void iterationsNestAndComeBackEvenWhileNobodyListens() {
    String thread = Thread.currentThread().getName();
    TraceRange outer = TraceSession.iteration("outer", 1);
    TraceRange inner = TraceSession.iteration("inner", 2);
    assertThat(state()).isEqualTo("inner 2");
    inner.close();
    assertThat(state()).isEqualTo("outer 1");
    inner.close();
    assertThat(state()).isEqualTo("outer 1");
    outer.close();
    assertThat(state()).isEqualTo(thread + " 0");
  }

  private static String state() {
    return Trace.currentCaller() + " " + Trace.currentIteration();
  }

  @Test
  void iterationClosedOnAnotherThreadLeavesThatThreadAlone() throws InterruptedException {
    TraceRange range = TraceSession.iteration("here", 1);
    List<String> there = new ArrayList<>();
    Thread other =
        Thread.ofPlatform()
            .name("there")
            .start(
                () -> {
                  range.close();
                  there.add(state());
                });
    other.join();

    assertThat(there).containsExactly("there 0");
    assertThat(state()).isEqualTo("here 1");
    Trace.enterIteration(null);
  }

  @Test
  void refusesNullNames() {
    assertThatThrownBy(() -> TraceSession.range(nothing()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name");
    assertThatThrownBy(() -> TraceSession.iteration(nothing(), 1))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("caller");
  }

  @SuppressWarnings("NullAway") // What a caller without that check may pass.
  private static String nothing() {
    return null;
  }

  @Test
  void overwritesAnExistingFile() throws IOException {
    Path file = folder.resolve("trace.json");
    Files.writeString(file, "x".repeat(100_000));
    TraceSession.start(file).close();

    assertThat(TraceFile.readArray(file).rows()).isNotEmpty();
  }
}
