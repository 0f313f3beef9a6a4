package dev.millrace.onnx;

import dev.millrace.model.Model;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The files of ONNX's test data, as the repository keeps them. */
final class OnnxArchive {
  private static final String CASES = "onnx/backend/test/data/node/";

  private final NavigableMap<String, byte[]> files = new TreeMap<>();

  private OnnxArchive() {}

  /** Reads an archive from the test resources, whole. */
  static OnnxArchive read(String resource) throws IOException {
    OnnxArchive archive = new OnnxArchive();
    try (InputStream in =
            Objects.requireNonNull(OnnxArchive.class.getResourceAsStream(resource), resource);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(in)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (entry.isFile()) {
          archive.files.put(entry.getName().replaceFirst("^\\./", ""), tar.readAllBytes());
        }
      }
    }
    return archive;
  }

  /** The content of one file. */
  byte[] file(String path) {
    return Objects.requireNonNull(files.get(path), path);
  }

  /** The names of all files, in order. */
  List<String> paths() {
    return List.copyOf(files.keySet());
  }

  /** The node tests, in the order of their names. All have exactly one data set. */
  List<OnnxCase> nodeTests() {
    List<OnnxCase> cases = new ArrayList<>();
    for (String path : files.keySet()) {
      if (path.startsWith(CASES) && path.endsWith("/model.onnx")) {
        cases.add(nodeTest(path.substring(0, path.length() - "model.onnx".length())));
      }
    }
    return cases;
  }

  private OnnxCase nodeTest(String folder) {
    String name = folder.substring(CASES.length(), folder.length() - 1);
    return new OnnxCase(
        name,
        Model.onnx(file(folder + "model.onnx")),
        numbered(folder + "test_data_set_0/input_"),
        numbered(folder + "test_data_set_0/output_"));
  }

  private List<byte[]> numbered(String prefix) {
    List<byte[]> found = new ArrayList<>();
    for (byte[] file = files.get(prefix + "0.pb");
        file != null;
        file = files.get(prefix + found.size() + ".pb")) {
      found.add(file);
    }
    return found;
  }
}
