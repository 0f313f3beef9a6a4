package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.error.ModelException;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTest {
  /** PP-OCR's classifier of text direction, half a megabyte. */
  private static byte[] classifier = new byte[0];

  @TempDir Path folder;

  @BeforeAll
  static void readModel() throws IOException {
    String resource = "models/ch_ppocr_mobile_v2.0_cls_infer.onnx";
    try (InputStream in = ModelTest.class.getClassLoader().getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      classifier = in.readAllBytes();
    }
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(folder.resolve("model.onnx"), content);
  }

  private static void refuses(Model model, String reason) {
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(model::check)
        .withMessageStartingWith("load model=" + model.name() + ": ")
        .withMessageContaining(reason);
  }

  @Test
  void takesARealModelInEveryForm() throws IOException {
    Model.onnx(file(classifier)).check();
    Model.onnx(classifier).check();
    Model.onnx(MemorySegment.ofArray(classifier)).check();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(classifier.length);
      segment.copyFrom(MemorySegment.ofArray(classifier));
      Model.onnx(segment).check();
    }
  }

  @Test
  void givesItsBytesAndDigestInEveryForm() throws Exception {
    String sha256 =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(classifier));

    for (Model model :
        Arrays.asList(
            Model.onnx(file(classifier)),
            Model.onnx(classifier),
            Model.onnx(MemorySegment.ofArray(classifier)))) {
      assertThat(model.bytes()).isEqualTo(classifier);
      assertThat(model.sha256()).isEqualTo(sha256).isSameAs(model.sha256());
    }
  }

  @Test
  void isNamedByItsPathOrItsDigest() throws IOException {
    Path path = file(classifier);
    Model inMemory = Model.onnx(classifier);

    assertThat(Model.onnx(path).name()).isEqualTo(path.toString());
    assertThat(Model.onnx(path).file()).contains(path);
    assertThat(inMemory.name()).isEqualTo("onnx:" + inMemory.sha256().substring(0, 12));
    assertThat(inMemory.file()).isEmpty();
  }

  @Test
  void keepsNoArrayOfItsCaller() {
    byte[] bytes = classifier.clone();
    Model model = Model.onnx(bytes);

    Arrays.fill(bytes, (byte) 0);
    Arrays.fill(model.bytes(), (byte) 0);

    assertThat(model.bytes()).isEqualTo(classifier);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    Model model = Model.onnx(folder.resolve("absent.onnx"));

    refuses(model, "there is no such file");
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(model::sha256)
        .withMessageContaining("absent.onnx");
    assertThatExceptionOfType(ModelException.class).isThrownBy(model::bytes);
  }

  @Test
  void refusesADirectory() {
    refuses(Model.onnx(folder), "it is a directory, expected a file");
  }

  @Test
  void refusesADevice() {
    refuses(Model.onnx(Path.of("/dev/zero")), "it is not a regular file");
  }

  @Test
  void refusesNothing() throws IOException {
    refuses(Model.onnx(file(new byte[0])), "it is empty");
    refuses(Model.onnx(new byte[0]), "it is empty");
  }

  @Test
  void refusesWhatProtobufCannotHold() throws IOException {
    Path path = folder.resolve("huge.onnx");
    try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
      sparse.setLength(1L << 31);
    }

    refuses(Model.onnx(path), "bytes=2147483648 is more than the 2147483647");
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> Model.onnx(path).bytes())
        .withMessageContaining("exceed a Java array");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello, world",
        "{\"model\": 1}",
        "<html><body>404</body></html>",
        "\n\n\n",
        "PK\u0003\u0004zip",
        "GGUF\u0003",
        "\u0000\u0000\u0000\u0000",
      })
  void refusesOtherKindsOfFile(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);

    refuses(Model.onnx(file(bytes)), "not an ONNX model");
    refuses(Model.onnx(bytes), "not an ONNX model");
  }

  @Test
  void refusesAGitLfsPointer() {
    String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 585532\n";
    refuses(Model.onnx(pointer.getBytes(StandardCharsets.US_ASCII)), "git lfs pull");
  }

  @Test
  void refusesEveryBeginningOfARealModel(TestInfo info) {
    int graph = startOfOpsetImport();
    Seeds.of(info)
        .forEach(
            50,
            random -> {
              byte[] cut = Arrays.copyOf(classifier, random.nextInt(1, graph));
              refuses(Model.onnx(cut), "not an ONNX model");
            });
  }

  // Field 8 with its length: what follows the graph, and the first byte without which a graph
  // is whole.
  private static int startOfOpsetImport() {
    for (int i = classifier.length - 2; i > 0; i--) {
      if (classifier[i] == 0x42 && classifier[i + 1] == classifier.length - i - 2) {
        return i;
      }
    }
    throw new AssertionError("no opset_import at the end of the model");
  }

  @ParameterizedTest
  @CsvSource({
    "08083A00, the least there is",
    "3A000808, in another order",
    "0808A206013A3A00, with an unknown field of bytes",
    "0808A8060FAD0601020304A90601020304050607083A00, with unknown numbers of each size",
  })
  void takesWhateverProtobufAllows(String hex, String form) {
    assertThatCode(() -> Model.onnx(HexFormat.of().parseHex(hex)).check())
        .as(form)
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "0808, a version alone",
    "0808FF, a tag that is cut off",
    "08FFFFFFFFFFFFFFFFFFFF013A00, a number without an end",
    "08083A05, a graph that is cut off",
    "08083AFFFFFFFF0F00, a graph of four gigabytes",
    "08083AFFFFFFFFFFFFFFFFFF0100, a graph of negative size",
    "0A083A00, a version that is text",
    "08083800, a graph that is a number",
    "08083B3C3A00, a group",
    "00003A00, field number 0",
    "0808CD3A0102033A00, a fixed number that is cut off",
  })
  void refusesWhatProtobufDoesNotAllow(String hex, String form) {
    assertThat(form).isNotBlank();
    refuses(Model.onnx(HexFormat.of().parseHex(hex)), "not an ONNX model");
  }

  @Test
  void refusesOrTakesAnythingButNeverBreaks(TestInfo info) {
    Seeds.of(info)
        .forEach(
            2_000,
            random -> {
              byte[] bytes = Arrays.copyOf(classifier, random.nextInt(200));
              for (int i = random.nextInt(8); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
              }
              try {
                Model.onnx(bytes).check();
              } catch (ModelException e) {
                assertThat(e.reason()).isNotBlank();
              }
            });
  }
}
