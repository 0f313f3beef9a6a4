package dev.millrace.onnx;

import dev.millrace.model.Model;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One of ONNX's test cases. Its tensors are read when asked for: of a model that nothing can run,
 * not even the values can be read as tensors.
 *
 * @param name the name of its folder
 * @param inputFiles what to feed, each a serialised TensorProto
 * @param outputFiles what should come out, likewise
 */
record OnnxCase(String name, Model model, List<byte[]> inputFiles, List<byte[]> outputFiles) {

  List<TensorProto> inputs() throws IOException {
    return tensors(inputFiles);
  }

  List<TensorProto> outputs() throws IOException {
    return tensors(outputFiles);
  }

  private static List<TensorProto> tensors(List<byte[]> files) throws IOException {
    List<TensorProto> tensors = new ArrayList<>();
    for (byte[] file : files) {
      tensors.add(TensorProto.read(file));
    }
    return tensors;
  }

  @Override
  public String toString() {
    return name;
  }
}
