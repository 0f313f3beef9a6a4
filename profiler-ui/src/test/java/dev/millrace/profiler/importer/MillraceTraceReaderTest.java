package dev.millrace.profiler.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.Runs;
import dev.millrace.profiler.model.Streams;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.model.Waits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One fork/join run between two host functions, in each kind of row that the format has. */
final class MillraceTraceReaderTest {
  @Test
  void readsEveryKindOfRow() throws IOException {
    ImportedTrace imported = read(golden());
    TraceModel trace = imported.trace();
    assertThat(imported.troubles()).isEmpty();
    assertThat(imported.header())
        .isEqualTo(new TraceHeader(1, 4242, "25.0.3", "Linux 6.1 amd64", 987_654_321_000L));
    assertThat(trace.streams().size()).isEqualTo(2);
    assertThat(trace.operations().size()).isEqualTo(4);
    assertThat(trace.calls().size()).isEqualTo(7);
    assertThat(trace.records().size()).isEqualTo(2);
    assertThat(trace.waits().size()).isEqualTo(2);
    assertThat(trace.hostSyncs().size()).isEqualTo(1);
    assertThat(trace.runs().size()).isEqualTo(1);
    assertThat(trace.ranges().size()).isEqualTo(1);
    assertThat(trace.bindings().size()).isEqualTo(1);
    assertThat(trace.laneWaits().waitedForRun(0)).isEqualTo(89);
  }

  @Test
  void keepsTimesAsExactNanoseconds() throws IOException {
    TraceModel trace = read(golden()).trace();
    assertThat(trace.streams().openedNs(0)).isEqualTo(-2000);
    assertThat(trace.operations().beginNs(1)).isEqualTo(12_000);
    assertThat(trace.operations().endNs(1)).isEqualTo(52_000);
    assertThat(trace.records().completedNs(0)).isEqualTo(9100);
    assertThat(trace.records().completedNs(1)).isEqualTo(TraceModel.UNKNOWN_TIME);
    assertThat(trace.runs().completedNs(0)).isEqualTo(52_500);
    assertThat(trace.runs().failure(0)).isEmpty();
  }

  @Test
  void namesStreamsByTheirRow() throws IOException {
    TraceModel trace = read(golden()).trace();
    Streams streams = trace.streams();
    int own = trace.runs().ownStream(0);
    int home = trace.runs().homeStream(0);
    assertThat(trace.runs().mode(0)).isEqualTo(Runs.Mode.FORK_JOIN);
    assertThat(streams.role(own)).isEqualTo(Streams.Role.OWN);
    assertThat(streams.id(home)).isEqualTo(7);
    assertThat(streams.address(home)).isEqualTo(0xffffffffffffff07L);
    assertThat(streams.isBlocking(home)).isTrue();
    assertThat(streams.closedNs(home)).isEqualTo(61_000);
    assertThat(trace.operations().stream(1)).isEqualTo(own);
    assertThat(trace.operations().kind(2)).isEqualTo(Operations.Kind.NODE);
    assertThat(trace.waits().sourceStream(0)).isEqualTo(home);
    assertThat(trace.waits().disposition(0)).isEqualTo(Waits.Disposition.ENQUEUED);
  }

  @Test
  void doesNotTakeTheNameOfAStreamsTrackForThatOfAThread() throws IOException {
    TraceModel trace = read(golden()).trace();
    assertThat(trace.threads().name(trace.ranges().thread(0))).isEqualTo("client-0");
  }

  @Test
  void readsAFileUpToAnyCut() throws IOException {
    byte[] whole = golden().getBytes(StandardCharsets.UTF_8);
    int header = golden().indexOf("},\n") + 3;
    int rowsBefore = 0;
    for (int cut = header; cut < whole.length - 3; cut += 5) {
      ImportedTrace imported = read(Arrays.copyOf(whole, cut));
      int rows = rows(imported.trace());
      assertThat(imported.hasDataLoss()).as("cut=%d", cut).isTrue();
      assertThat(rows).as("cut=%d", cut).isGreaterThanOrEqualTo(rowsBefore);
      rowsBefore = rows;
    }
    assertThat(rowsBefore).isEqualTo(rows(read(whole).trace()));
  }

  @Test
  void neverThrowsAnythingButItsOwnSentenceOnDamagedFiles() {
    long seed = Long.getLong("millrace.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole = goldenBytes();
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = whole.clone();
      for (int n = 1 + random.nextInt(8); n > 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(read(damaged).trace().operations().size()).isLessThanOrEqualTo(4);
      } catch (NotATraceException e) {
        assertThat(e).as("millrace.seed=%d", seed).hasMessageStartingWith("golden ");
      } catch (IOException | RuntimeException e) {
        throw new AssertionError("millrace.seed=" + seed + " i=" + i, e);
      }
    }
  }

  @Test
  void countsDroppedAndMissingRowsAsDataLoss() throws IOException {
    String lossy =
        golden()
            .replace("\"dropped\":{}", "\"dropped\":{\"ApiCall\":5,\"DeviceWork\":2}")
            .replace("\"rows\":{\"StreamOpened\":2", "\"rows\":{\"StreamOpened\":3");
    ImportedTrace imported = read(lossy);
    assertThat(imported.hasDataLoss()).isTrue();
    assertThat(imported.troubles())
        .extracting(Trouble::kind, Trouble::count)
        .containsExactly(
            tuple(TroubleKind.EVENTS_DROPPED, 7L), tuple(TroubleKind.ROWS_MISSING, 1L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"kind\":\"PROGRAM\"            | \"kind\":\"DREAM\"         | MALFORMED_ROW",
        "\"sourceIndex\":3,\"disposition\" | \"disposition\"          | MALFORMED_ROW",
        "\"lane\":0,\"homeStream\"       | \"lane\":\"x\",\"homeStream\" | MALFORMED_ROW",
        "\"address\":\"0x5\"             | \"address\":\"five\"       | MALFORMED_ROW",
        "\"result\":0,\"stream\":5       | \"result\":9999999999,\"stream\":5 | MALFORMED_ROW",
        "\"endNs\":58000                 | \"endNs\":100              | NEGATIVE_DURATION",
        "\"cat\":\"StreamBound\"         | \"cat\":\"Invented\"       | UNKNOWN_KIND",
        "\"version\":1                   | \"version\":2              | NEWER_VERSION",
        "\"role\":\"OWN\",\"atNs\"       | \"role\":\"OWNED\",\"atNs\"| UNOPENED_STREAM"
      })
  void countsABadRowAndReadsTheRest(String good, String bad, TroubleKind kind) throws IOException {
    assertThat(golden()).contains(good);
    ImportedTrace imported = read(golden().replace(good, bad));
    assertThat(imported.troubles()).extracting(Trouble::kind).contains(kind);
    assertThat(rows(imported.trace())).isGreaterThanOrEqualTo(rows(read(golden()).trace()) - 3);
  }

  @Test
  void readsNumbersOfMoreThan64BitsAsBadOnes() throws IOException {
    ImportedTrace imported =
        read(golden().replace("\"beginNs\":12000", "\"beginNs\":99999999999999999999999"));
    assertThat(imported.troubles())
        .singleElement()
        .satisfies(it -> assertThat(it.example()).contains("beginNs is of the wrong type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                   | golden is empty",
        "<html></html>                        | golden is no Millrace trace",
        "{\"traceEvents\":[]}                 | golden is JSON, but no Millrace trace: it is not",
        "[{\"ph\":\"X\",\"args\":{\"stream\":7}}] | golden is JSON, but no Millrace trace: its first",
        "[{\"args\":{\"format\":\"millrace-trace\"}}] | golden has a broken header: args.version"
      })
  void saysInASentenceThatAFileIsNoTrace(String content, String message) {
    assertThatThrownBy(() -> read(content))
        .isInstanceOf(NotATraceException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void saysInASentenceThatThereIsNoFile(@TempDir Path folder) {
    assertThatThrownBy(() -> MillraceTraceReader.read(folder))
        .isInstanceOf(NotATraceException.class)
        .hasMessageEndingWith("is a directory, not a trace");
    assertThatThrownBy(() -> MillraceTraceReader.read(folder.resolve("none.json")))
        .isInstanceOf(NotATraceException.class)
        .hasMessageStartingWith("there is no file ");
  }

  private static int rows(TraceModel trace) {
    return trace.operations().size()
        + trace.calls().size()
        + trace.records().size()
        + trace.waits().size()
        + trace.hostSyncs().size()
        + trace.runs().size()
        + trace.ranges().size()
        + trace.bindings().size()
        + trace.laneWaits().size();
  }

  private static ImportedTrace read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ImportedTrace read(byte[] bytes) throws IOException {
    return MillraceTraceReader.read(new ByteArrayInputStream(bytes), "golden");
  }

  private static String golden() {
    return new String(goldenBytes(), StandardCharsets.UTF_8);
  }

  private static byte[] goldenBytes() {
    try (InputStream in =
        MillraceTraceReaderTest.class.getResourceAsStream("fork-join.trace.json")) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
