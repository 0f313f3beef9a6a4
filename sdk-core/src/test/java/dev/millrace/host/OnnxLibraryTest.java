package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtEnvironment;
import com.fasterxml.jackson.core.JsonFactory;
import dev.millrace.onnx.LoadOneModel;
import dev.millrace.testing.OnnxGraph;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ways in which ONNX Runtime can be there, half there or absent, each in a JVM of its own: what
 * works says so, and what does not says in one sentence what to do.
 */
final class OnnxLibraryTest {
  private static final String ORT_MODULE = "com.microsoft.onnxruntime";

  @TempDir Path folder;

  private Path model;
  private Path temporary;

  @BeforeEach
  void writeModel() throws IOException {
    byte[] content =
        new OnnxGraph()
            .input("x", 1, 2)
            .node("Relu", List.of("x"), List.of("y"))
            .output("y", 1, 2)
            .toBytes();
    model = Files.write(folder.resolve("model.onnx"), content);
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private static String onPath(Class<?>... owners) {
    return Arrays.stream(owners)
        .map(OnnxLibraryTest::placeOf)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The folder or jar that a class was read from; a patched module hides that of its tests. */
  private static Path placeOf(Class<?> owner) {
    String file = owner.getName().replace('.', '/') + ".class";
    URL url = Objects.requireNonNull(owner.getResource("/" + file), file);
    String text = url.toString().replaceFirst("^jar:", "").replaceFirst("!?/" + file + "$", "");
    try {
      return Path.of(new URI(text));
    } catch (URISyntaxException e) {
      throw new AssertionError(text, e);
    }
  }

  private static final Class<?>[] CORE = {HostDriver.class, JsonFactory.class, NullMarked.class};

  private static String core(Class<?>... more) {
    return onPath(Stream.concat(Arrays.stream(CORE), Arrays.stream(more)).toArray(Class<?>[]::new));
  }

  private List<String> java(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of(options));
    command.add(LoadOneModel.class.getName());
    command.add(model.toString());
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assertThat(code).as(Files.readString(errors)).isZero();
    return output.lines().toList();
  }

  private static void assertBothSay(List<String> outcomes, String... parts) {
    assertThat(outcomes).hasSize(2);
    assertThat(outcomes.get(1)).as("a second attempt").isEqualTo(outcomes.getFirst());
    assertThat(outcomes.getFirst()).contains(parts);
  }

  @Test
  void runsFromTheClassPathAndLeavesNoFileOfItsOwn() throws Exception {
    List<String> outcomes =
        java(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            core(LoadOneModel.class, OrtEnvironment.class));

    assertThat(outcomes).containsExactly("ran", "ran");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("millrace"));
    }
  }

  @Test
  void runsAsAModuleBesideOnnxRuntimesModule() throws Exception {
    assertThat(
            java(
                "--enable-native-access=" + ORT_MODULE,
                "-p",
                core(OrtEnvironment.class),
                "--add-modules",
                "dev.millrace.core," + ORT_MODULE,
                "-cp",
                onPath(LoadOneModel.class)))
        .containsExactly("ran", "ran");
  }

  @Test
  void runsAsAModuleWithOnnxRuntimeOnTheClassPath() throws Exception {
    assertThat(
            java(
                "--enable-native-access=ALL-UNNAMED",
                "-p",
                core(),
                "--add-modules",
                "dev.millrace.core",
                "-cp",
                onPath(LoadOneModel.class, OrtEnvironment.class)))
        .containsExactly("ran", "ran");
  }

  @Test
  void namesTheArtifactWhereItIsAbsent() throws Exception {
    assertBothSay(
        java("-cp", core(LoadOneModel.class)),
        "LibraryMissingException: ONNX Runtime is not available: add the artifact"
            + " com.microsoft.onnxruntime:onnxruntime");
  }

  @Test
  void namesTheModuleWhereNothingResolvesIt() throws Exception {
    assertBothSay(
        java(
            "-p",
            core(OrtEnvironment.class),
            "--add-modules",
            "dev.millrace.core",
            "-cp",
            onPath(LoadOneModel.class)),
        "LibraryMissingException: ONNX Runtime is not available",
        "--add-modules com.microsoft.onnxruntime");
  }

  @Test
  void namesTheFlagWhereNativeAccessIsDenied() throws Exception {
    assertBothSay(
        java("--illegal-native-access=deny", "-cp", core(LoadOneModel.class, OrtEnvironment.class)),
        "LibraryMissingException",
        "start Java with --enable-native-access=ALL-UNNAMED");
    assertBothSay(
        java(
            "--illegal-native-access=deny",
            "-p",
            core(OrtEnvironment.class),
            "--add-modules",
            "dev.millrace.core," + ORT_MODULE,
            "-cp",
            onPath(LoadOneModel.class)),
        "LibraryMissingException",
        "start Java with --enable-native-access=com.microsoft.onnxruntime");
  }

  @Test
  void namesThePropertiesWhereTheLibraryCannotBeUnpacked() throws Exception {
    assertBothSay(
        java(
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder.resolve("absent"),
            "-cp",
            core(LoadOneModel.class, OrtEnvironment.class)),
        "LibraryMissingException",
        "java.io.tmpdir=" + folder.resolve("absent"),
        "-Donnxruntime.native.path");
  }

  /** As on a file system that is mounted without the right to execute: the loader refuses it. */
  @Test
  void namesThePropertiesWhereTheLibraryCannotBeLoaded() throws Exception {
    Path libraries = Files.createDirectory(folder.resolve("libraries"));
    for (String name : List.of("onnxruntime", "onnxruntime4j_jni")) {
      Files.write(libraries.resolve(System.mapLibraryName(name)), new byte[] {1, 2, 3});
    }
    assertBothSay(
        java(
            "--enable-native-access=ALL-UNNAMED",
            "-Donnxruntime.native.path=" + libraries,
            "-cp",
            core(LoadOneModel.class, OrtEnvironment.class)),
        "LibraryMissingException",
        "could not be unpacked and loaded",
        "-Djava.io.tmpdir");
  }
}
