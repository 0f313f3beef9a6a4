package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Model;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ONNX's light models: well-known networks whose weights are constants, loaded from files. */
final class LightModelsTest {
  private static final String ARCHIVE = "/onnx/light-v1.20.0.tar.xz";
  private static final String SUFFIX = ".onnx";

  @Test
  void givesTheOutputsThatOnnxExpects(@TempDir Path folder) throws Exception {
    OnnxArchive archive = OnnxArchive.read(ARCHIVE);
    Map<String, String> differences = new TreeMap<>();
    int models = 0;
    try (Device host = Device.open("host");
        DeviceStream stream = host.newStream()) {
      CaseRunner runner = new CaseRunner(host, stream);
      for (String path : archive.paths()) {
        if (path.endsWith(SUFFIX)) {
          models++;
          Path file = Files.write(folder.resolve("model.onnx"), archive.file(path));
          TensorProto found = runner.run(Model.onnx(file), LightModelsTest::ramps).getFirst();
          String output = path.substring(0, path.length() - SUFFIX.length()) + "_output_0.pb";
          TensorProto expected = TensorProto.read(archive.file(output));
          Tolerance.ONNX
              .difference(expected, found)
              .ifPresent(difference -> differences.put(path, difference));
        }
      }
    }
    assertThat(models).isEqualTo(9);
    assertThat(differences).isEmpty();
  }

  /** ONNX's runner feeds its light models the numbers 0, 1/n, 2/n and so on. */
  private static List<TensorProto> ramps(List<TensorSpec> specs) {
    return specs.stream().map(LightModelsTest::ramp).toList();
  }

  private static TensorProto ramp(TensorSpec spec) {
    int count = Math.toIntExact(spec.shape().elements());
    ByteBuffer values = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      values.putFloat((float) ((double) i / count));
    }
    MemorySegment elements = MemorySegment.ofArray(values.array());
    return new TensorProto(spec.name(), spec.type(), spec.shape(), elements);
  }
}
