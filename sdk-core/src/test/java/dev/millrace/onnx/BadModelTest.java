package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.error.ModelException;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Program;
import dev.millrace.stream.Device;
import dev.millrace.testing.OnnxGraph;
import dev.millrace.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models that are none, or are damaged: each is refused with the exception that is for it, the JVM
 * lives on, and no thread is left over.
 */
final class BadModelTest {
  private static final CompileOptions ONE_THREAD = CompileOptions.defaults().withThreadsPerRun(1);

  private static final int DAMAGED = 300;

  private static Device host;
  private static byte[] classifier = {};
  private static List<OnnxCase> cases = List.of();

  @TempDir Path folder;

  @BeforeAll
  static void open() throws IOException {
    host = Device.open("host");
    String resource = "models/ch_ppocr_mobile_v2.0_cls_infer.onnx";
    try (InputStream in = BadModelTest.class.getClassLoader().getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      classifier = in.readAllBytes();
    }
    cases = OnnxArchive.read("/onnx/node-tests-v1.20.0.tar.xz").nodeTests();
    // What ONNX Runtime and the device start once for all is there from here on.
    load(OnnxGraph.oneNode("Relu", 1, 2));
  }

  @AfterAll
  static void close() {
    host.close();
  }

  private static void refuses(Model model, String reason) {
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> Program.load(model, host))
        .withMessageStartingWith("load model=" + model.name() + ": ")
        .withMessageContaining(reason);
  }

  private Model file(byte[] content) throws IOException {
    return Model.onnx(Files.write(folder.resolve("model.onnx"), content));
  }

  @Test
  void refusesWhatIsNoFile() {
    refuses(Model.onnx(folder.resolve("absent.onnx")), "no such file");
    refuses(Model.onnx(folder), "directory");
  }

  @Test
  void refusesWhatIsNoModel() throws IOException {
    byte[] png = {
      (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
    };
    for (byte[] content :
        List.of(
            new byte[0],
            png,
            zip(),
            "hello, world\n".repeat(99).getBytes(StandardCharsets.UTF_8))) {
      refuses(file(content), "");
      refuses(Model.onnx(content), "");
    }
  }

  private static byte[] zip() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("model.onnx"));
      zip.write(new byte[100]);
    }
    return bytes.toByteArray();
  }

  @Test
  void refusesAFileThatIsTooLargeForAModel() throws IOException {
    Path large = folder.resolve("large.onnx");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.write(classifier);
      file.setLength((1L << 31) + 1);
    }
    refuses(Model.onnx(large), "bytes=2147483649");
  }

  @Test
  void refusesAModelThatIsCutOffAnywhere(TestInfo info) throws IOException {
    SplittableRandom random = Seeds.of(info).random();
    for (int i = 0; i < 40; i++) {
      int length = i < 20 ? i : random.nextInt(classifier.length);
      refuses(file(Arrays.copyOf(classifier, length)), "");
    }
  }

  /**
   * Always the same damage, and none of these models is run: ONNX Runtime computes in the process
   * of the JVM and trusts a model's numbers. Of some 70,000 models with random flips one ended the
   * JVM when it was loaded (an Attention whose {@code kv_num_heads} had become 0: it divides by
   * that), and of some 30,000 one when it was run.
   */
  @Test
  void loadsOrRefusesAModelWithDamagedBits() {
    List<String> outcomes = new ArrayList<>();
    for (int seed = 0; seed < DAMAGED; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes =
          random.nextInt(10) == 0
              ? classifier.clone()
              : cases.get(random.nextInt(cases.size())).model().bytes();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      outcomes.add(load(Model.onnx(bytes)));
    }
    assertThat(outcomes).contains("refused", "loaded");
  }

  @Test
  void leavesNoThreadOver() throws IOException {
    CompileOptions threads = CompileOptions.defaults().withThreadsPerRun(8);
    long before = nativeThreads();
    for (OnnxCase onnxCase : cases) {
      if (onnxCase.name().startsWith("test_bernoulli") || onnxCase.name().startsWith("test_adam")) {
        assertThatExceptionOfType(ModelException.class)
            .isThrownBy(() -> Program.load(onnxCase.model(), host, threads));
      }
    }
    // Each of the eight would leave seven; the JVM's own come and go by one or two.
    assertThat(nativeThreads()).isLessThan(before + 7);
  }

  private static long nativeThreads() throws IOException {
    Path tasks = Path.of("/proc/self/task");
    if (!Files.isDirectory(tasks)) {
      return Thread.getAllStackTraces().size();
    }
    try (Stream<Path> all = Files.list(tasks)) {
      return all.count();
    }
  }

  private static String load(Model model) {
    try (Program _ = Program.load(model, host, ONE_THREAD)) {
      return "loaded";
    } catch (ModelException _) {
      return "refused";
    }
  }
}
