package dev.millrace.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.trace.TraceEvent.Disposition;
import dev.millrace.trace.TraceFile.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stream 1 works, records at index 3; stream 2 waits for that at index 6, and works. */
class TraceArrowTest {
  @TempDir Path folder;

  /** Times count from here: behind any session's begin, before which nothing is drawn. */
  private final long now = System.nanoTime() + 3_600_000_000_000L;

  private final List<TraceEvent> events = new ArrayList<>();

  TraceArrowTest() {
    events.add(Samples.opened(1, now));
    events.add(Samples.opened(2, now));
  }

  private void work(long stream, long index, long begin, long end) {
    events.add(Samples.work(stream, index, now + begin, now + end));
  }

  private void waits(Disposition disposition) {
    events.add(Samples.waited(2, 6, 1, 3, disposition));
  }

  private TraceFile trace() throws IOException {
    Path file = folder.resolve("trace.json");
    try (TraceSession _ = TraceSession.start(file)) {
      events.forEach(Trace::emit);
    }
    return TraceFile.read(file);
  }

  /** The index of the slice that a viewer binds this end to: the innermost that holds its time. */
  private static long bound(TraceFile trace, Row end) {
    List<Row> holding =
        trace.phase("X").stream()
            .filter(slice -> slice.number("pid") == end.number("pid"))
            .filter(slice -> slice.number("tid") == end.number("tid"))
            .filter(slice -> slice.nanos("ts") <= end.nanos("ts"))
            .filter(slice -> end.nanos("ts") < slice.nanos("ts") + slice.nanos("dur"))
            .toList();
    assertThat(holding).as("slices around %s", end).hasSize(1);
    return holding.getFirst().argNumber("index");
  }

  @Test
  void goesFromTheLastWorkBeforeTheRecordToTheFirstBehindTheWait() throws IOException {
    work(1, 1, 0, 100);
    work(1, 2, 100, 1_000_000);
    work(2, 4, 0, 50);
    waits(Disposition.ENQUEUED);
    work(1, 5, 1_000_000, 1_000_500); // Behind the record, and done before the released work.
    work(2, 7, 1_000_100, 1_000_600);
    work(2, 8, 1_000_600, 1_000_700);
    TraceFile trace = trace();

    assertThat(trace.phase("s")).hasSize(1);
    assertThat(trace.phase("f")).hasSize(1);
    Row start = trace.phase("s").getFirst();
    Row finish = trace.phase("f").getFirst();
    assertThat(bound(trace, start)).isEqualTo(2);
    assertThat(bound(trace, finish)).isEqualTo(7);
    assertThat(start.number("id")).isEqualTo(finish.number("id"));
    assertThat(start.text("cat")).isEqualTo(finish.text("cat")).isEqualTo("EventPair");
    assertThat(start.text("name")).isEqualTo(finish.text("name"));
    assertThat(finish.text("bp")).isEqualTo("e");
    assertThat(start.args())
        .isEqualTo(finish.args())
        .containsEntry("event", 21L)
        .containsEntry("generation", 3L)
        .containsEntry("sourceStream", 1L)
        .containsEntry("sourceIndex", 3L)
        .containsEntry("stream", 2L)
        .containsEntry("index", 6L);
    assertThat(trace.rows().getLast().argNumber("flows")).isEqualTo(1);
  }

  @Test
  void standsBehindTheSlicesItBindsTo() throws IOException {
    work(1, 2, 0, 100);
    waits(Disposition.ENQUEUED);
    work(2, 7, 100, 200);
    TraceFile trace = trace();

    int lastSlice = trace.rows().indexOf(trace.phase("X").getLast());
    assertThat(trace.rows().indexOf(trace.phase("s").getFirst())).isGreaterThan(lastSlice);
  }

  @ParameterizedTest
  @EnumSource(names = "ENQUEUED", mode = EnumSource.Mode.EXCLUDE)
  void isNotDrawnForAWaitThatHeldNothing(Disposition disposition) throws IOException {
    work(1, 2, 0, 100);
    waits(disposition);
    work(2, 7, 200, 300);

    assertThat(trace().phase("s")).isEmpty();
  }

  @Test
  void isDrawnOnceForAWaitThatIsSaidAfterTheWorkBehindIt() throws IOException {
    work(1, 2, 0, 100);
    work(2, 7, 100, 200);
    work(2, 8, 200, 300);
    waits(Disposition.ENQUEUED);
    work(2, 9, 300, 400);
    TraceFile trace = trace();

    assertThat(trace.phase("f").stream().map(end -> bound(trace, end))).containsExactly(7L);
  }

  @Test
  void ignoresNodesOfAProgram() throws IOException {
    events.add(Samples.node(1, 2, now, now + 50));
    work(1, 2, 0, 100);
    waits(Disposition.ENQUEUED);
    events.add(Samples.node(2, 7, now + 200, now + 250));
    events.add(Samples.node(1, 2, now + 60, now + 70));
    work(2, 7, 100, 300);
    TraceFile trace = trace();

    Row start = trace.phase("s").getFirst();
    assertThat(start.nanos("ts") + trace.baseNs() - now).isEqualTo(99);
    assertThat(trace.phase("s")).hasSize(1);
  }

  @Test
  void isLeftOutWithoutAProducer() throws IOException {
    waits(Disposition.ENQUEUED);
    work(2, 7, 200, 300);
    work(1, 5, 0, 100); // Behind the record: not what was waited for.

    TraceFile trace = trace();
    assertThat(trace.phase("s")).isEmpty();
    assertThat(trace.phase("f")).isEmpty();
  }

  @Test
  void isLeftOutRatherThanWrongWhenTheProducerIsLongForgotten() throws IOException {
    work(1, 2, 0, 100);
    waits(Disposition.ENQUEUED);
    for (int i = 0; i < StreamHistory.DEPTH; i++) {
      work(1, 10 + i, 100 + i, 101 + i);
    }
    work(2, 7, 100, 1000);

    assertThat(trace().phase("s")).isEmpty();
  }

  @Test
  void leadsFromEveryRecordThatOneWorkWaitedFor() throws IOException {
    events.add(Samples.opened(3, now));
    work(1, 2, 0, 100);
    work(3, 1, 0, 400);
    waits(Disposition.ENQUEUED);
    events.add(Samples.waited(2, 7, 3, 2, Disposition.ENQUEUED));
    work(2, 8, 400, 500);
    TraceFile trace = trace();

    assertThat(trace.phase("s").stream().map(end -> end.number("tid"))).containsExactly(1L, 3L);
    assertThat(trace.phase("f").stream().map(end -> bound(trace, end))).containsExactly(8L, 8L);
    assertThat(trace.phase("s").stream().map(end -> end.number("id"))).doesNotHaveDuplicates();
  }

  @Test
  void staysInsideWorkThatTookNoTime() throws IOException {
    work(1, 2, 100, 100);
    waits(Disposition.ENQUEUED);
    work(2, 7, 100, 101);
    TraceFile trace = trace();

    Row start = trace.phase("s").getFirst();
    Row finish = trace.phase("f").getFirst();
    assertThat(start.nanos("ts") + trace.baseNs() - now).isEqualTo(100);
    assertThat(finish.nanos("ts") + trace.baseNs() - now).isBetween(100L, 101L);
  }

  @Test
  void isWhatPerfettoDrawsOfAForkAndAJoin() throws IOException {
    long thread = Thread.currentThread().threadId();
    work(1, 1, 0, 1000); // The caller's, up to the fork.
    events.add(Samples.waited(2, 1, 1, 2, Disposition.ENQUEUED));
    work(2, 2, 1500, 9000); // The program's.
    events.add(Samples.waited(1, 3, 2, 3, Disposition.ENQUEUED));
    work(1, 4, 9300, 9900); // The caller's, from the join.
    events.add(
        new TraceEvent.RunSubmitted(
            9, "c", 1, TraceEvent.Mode.FORK_JOIN, "p", 0, 1, 2, thread, now, now + 900));
    events.add(
        new TraceEvent.HostSynced(
            thread, now + 900, now + 9950, 1, 0, 0, TraceEvent.HostWait.BLOCKED, 0));
    events.add(new TraceEvent.Range("turn", "c", 1, thread, now, now + 10_000));
    events.add(Samples.node(2, 2, now + 1500, now + 4000));
    events.add(Samples.node(2, 2, now + 4000, now + 8999));
    PerfettoModel drawn = new PerfettoModel(trace());

    assertThat(drawn.dropped()).isEmpty();
    assertThat(drawn.unbound()).isEmpty();
    assertThat(drawn.flows().stream().map(flow -> ends(flow.from()) + " > " + ends(flow.to())))
        .containsExactly("1:work 1 > 2:node", "2:node > 1:work 4");
  }

  private static String ends(Row slice) {
    return slice.number("tid") + ":" + slice.text("name");
  }
}
