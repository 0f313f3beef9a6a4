package dev.millrace.gpu.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gpu.ffi.BoundFunctions.Bound;
import dev.millrace.gpu.testing.Command;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import dev.millrace.gpu.testing.RealLibraries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What each function that we call does where there is no device, with memory for what it points to
 * and nothing in its handles. Each is called in a process of its own: some end it.
 */
@NeedsRealLibraries
@Timeout(300)
@DisplayName("Where there is no device")
final class NoDeviceCallsTest {
  private static final Pattern ANSWER = Pattern.compile("answer=(.*)\n");

  @TempDir private Path folder;

  /** The answers to expect were written down from HIP 6.4.3, rocBLAS 6.4.4 and MIOpen 6.4.3. */
  @Test
  void eachFunctionAnswersAsWrittenDown() throws IOException {
    Path caller = compileCaller();
    List<String> answers =
        BoundFunctions.all().stream().map(bound -> answer(caller, bound)).toList();
    Files.write(Path.of(System.getProperty("basedir"), "target", "no-device.txt"), answers);
    assertThat(answers)
        .as("see target/no-device.txt")
        .isEqualTo(resource("no-device.txt").lines().toList());
  }

  private Path compileCaller() throws IOException {
    Path source = Files.writeString(folder.resolve("call.c"), resource("call.c"));
    Path program = folder.resolve("call");
    Command compiler =
        Command.run(
            List.of("gcc", "-O1", "-Wall", "-Werror", "-o", program.toString(), source.toString()));
    assertThat(compiler.err()).isEmpty();
    return program;
  }

  private static String answer(Path caller, Bound bound) {
    Prototype prototype = bound.prototype();
    List<String> command = new ArrayList<>();
    command.add(caller.toString());
    command.add(RealLibraries.folder().resolve(bound.library()).toString());
    command.add(prototype.name());
    command.add(prototype.result().equals("const char*") ? "text" : "number");
    for (Prototype.Parameter parameter : prototype.parameters()) {
      command.add(parameter.type().endsWith("*") ? "memory" : "0");
    }
    return prototype.name() + " " + outcome(Command.run(command));
  }

  private static String outcome(Command call) {
    Matcher answer = ANSWER.matcher(call.out());
    if (call.exit() == 0 && answer.find()) {
      return answer.group(1);
    }
    return call.exit() > 128 ? "signal " + (call.exit() - 128) : "exit " + call.exit();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = NoDeviceCallsTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
