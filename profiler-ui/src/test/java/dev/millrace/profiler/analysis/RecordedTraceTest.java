package dev.millrace.profiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.profiler.importer.ImportedTrace;
import dev.millrace.profiler.importer.MillraceTraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A trace that the SDK recorded on its host device: two clients of one program in fork/join, three
 * turns each, on two busy cores. The expected numbers were checked by hand against its rows.
 */
final class RecordedTraceTest {
  private static final String NAME = "fork-join-2-clients";

  @Test
  void nothingIsWrongWithIt() throws IOException {
    ImportedTrace imported = trace();
    TraceFacts facts = TraceAnalysis.of(imported.trace()).facts();
    assertThat(imported.troubles()).isEmpty();
    assertThat(facts.orphans()).isZero();
    assertThat(facts.overlaps()).isZero();
    assertThat(facts.contradictions()).isZero();
    assertThat(facts.operations()).isEqualTo(18);
  }

  @Test
  void eachTurnHasItsKnownParts() throws IOException {
    StringBuilder turns = new StringBuilder();
    for (IterationReport it : TraceAnalysis.of(trace().trace()).iterations()) {
      turns.append(
          "%s %d: response %d = %s\n"
              .formatted(
                  it.iteration().caller(), it.iteration().number(), it.responseNs(), it.parts()));
    }
    assertThat(turns.toString()).isEqualTo(text(NAME + ".expected.txt"));
  }

  private static ImportedTrace trace() throws IOException {
    try (InputStream in = open(NAME + ".trace.json")) {
      return MillraceTraceReader.read(in, NAME);
    }
  }

  private static String text(String name) throws IOException {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream open(String name) {
    return Objects.requireNonNull(RecordedTraceTest.class.getResourceAsStream(name));
  }
}
