package dev.millrace.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a trace ends with its process. */
@Timeout(120) // A child that hangs must not hang the build.
class TraceProcessTest {
  @TempDir Path folder;

  private Process start(List<String> options, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), TracedProcess.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private static String classPath() {
    return Stream.of(Path.of("target", "test-classes"), jar(Trace.class), jar(JsonFactory.class))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path jar(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  @Test
  void propertyStartsASessionThatExitCloses() throws Exception {
    Process process = start(List.of("-Dmillrace.trace=" + folder.resolve("trace-%p.json")), "exit");

    assertThat(process.waitFor()).isEqualTo(3);
    assertThat(output()).isEqualTo("on=true\n");
    Path file = folder.resolve("trace-" + process.pid() + ".json");
    TraceFile trace = TraceFile.readArray(file);
    assertThat(trace.rows().getLast().text("name")).isEqualTo("millrace.footer");
    assertThat(trace.ofKind(TraceEvent.HostSynced.class)).hasSize(1);
  }

  @Test
  void sessionLeftOpenIsClosedWhenMainReturns() throws Exception {
    Path file = folder.resolve("trace.json");
    Process process = start(List.of(), "api", file.toString());

    assertThat(process.waitFor()).isZero();
    assertThat(TraceFile.readArray(file).rows().getLast().text("name"))
        .isEqualTo("millrace.footer");
  }

  @Test
  void fileThatCannotBeOpenedIsOneWarning() throws Exception {
    Path file = folder.resolve("absent").resolve("trace.json");
    Process process = start(List.of("-Dmillrace.trace=" + file), "return");

    assertThat(process.waitFor()).isZero();
    assertThat(output()).contains("on=false").containsOnlyOnce("WARNING").contains("" + file);
  }

  @Test
  void withoutThePropertyNothingIsRecorded() throws Exception {
    assertThat(start(List.of(), "return").waitFor()).isZero();
    assertThat(output()).isEqualTo("on=false\n");
  }

  @Test
  void killedProcessLeavesWhatWasFlushed() throws Exception {
    Path file = folder.resolve("trace.json");
    Process process = start(List.of("-Dmillrace.trace=" + file), "halt");
    try {
      while (!Files.exists(file) || Files.size(file) < 200_000) {
        assertThat(process.isAlive()).as(output()).isTrue();
        Thread.sleep(20);
      }
    } finally {
      process.destroyForcibly(); // SIGKILL
    }
    process.waitFor();

    TraceFile trace = TraceFile.read(file);
    assertThat(trace.rows().getFirst().text("name")).isEqualTo("millrace.header");
    assertThat(trace.ofKind(TraceEvent.ApiCall.class)).hasSizeGreaterThan(500);
    assertThat(trace.meta("millrace.footer")).isEmpty();
  }

  @Test
  void flightRecordingThatRunsAlreadyGetsTheEvents() throws Exception {
    Path file = folder.resolve("recording.jfr");
    Process process =
        start(List.of("-XX:StartFlightRecording:filename=" + file, "-Xlog:jfr*=off"), "return");

    assertThat(process.waitFor()).as(output()).isZero();
    assertThat(output()).contains("on=true");
    assertThat(
            RecordingFile.readAllEvents(file).stream()
                .map(RecordedEvent::getEventType)
                .map(type -> type.getName())
                .filter(name -> name.startsWith("dev.millrace.")))
        .containsExactlyInAnyOrder(
            "dev.millrace.Run",
            "dev.millrace.StreamBinding",
            "dev.millrace.HostSync",
            "dev.millrace.LaneWait");
  }
}
