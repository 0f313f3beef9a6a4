package dev.millrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gpu.testing.Command;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in's own check, in C++: hipBLASLt too, whose handle we never make. */
@NeedsRealLibraries
@DisplayName("AMD's libraries over the stand-in for HIP")
final class RealLibrariesOverHipOnCpuTest {

  @TempDir private Path folder;

  @Test
  void makeHandlesMoveThemAndLaunchOnTheirStreams() throws IOException {
    Path module = Path.of(System.getProperty("basedir"));
    Path tests = module.resolve("target/native/hip-on-cpu/test");
    String hip = "libamdhip64.so.6"; // alone in its folder, so that the rest is AMD's
    Path standIn =
        Files.copy(Path.of(System.getProperty("millrace.standIns"), hip), folder.resolve(hip));
    Command check =
        Command.run(
            List.of(
                module.resolve("src/native/hip-on-cpu/test/real-libraries.sh").toString(),
                "/",
                standIn.toString(),
                tests.resolve("hip-on-cpu-real-libraries").toString()));
    assertThat(check.exit()).as(check.out() + check.err()).isZero();
  }
}
