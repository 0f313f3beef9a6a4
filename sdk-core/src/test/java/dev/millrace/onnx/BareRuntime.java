package dev.millrace.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.Result;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a case with ONNX Runtime alone, in the plainest way its Java API knows. */
final class BareRuntime {
  private BareRuntime() {}

  /** The elements of each output, as ONNX Runtime's API gives them. */
  static List<MemorySegment> run(OnnxCase onnxCase) throws OrtException, IOException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (SessionOptions options = new SessionOptions()) {
      options.setIntraOpNumThreads(1);
      try (OrtSession session = environment.createSession(onnxCase.model().bytes(), options)) {
        return run(environment, session, onnxCase.inputs());
      }
    }
  }

  private static List<MemorySegment> run(
      OrtEnvironment environment, OrtSession session, List<TensorProto> inputs)
      throws OrtException {
    Map<String, OnnxTensor> feeds = new LinkedHashMap<>();
    Iterator<TensorProto> next = inputs.iterator();
    try {
      for (String name : session.getInputNames()) {
        feeds.put(name, tensor(environment, next.next()));
      }
      try (Result result = session.run(feeds)) {
        List<MemorySegment> outputs = new ArrayList<>();
        for (Map.Entry<String, OnnxValue> output : result) {
          OnnxTensor value = (OnnxTensor) output.getValue();
          outputs.add(MemorySegment.ofBuffer(value.getByteBuffer()));
        }
        return outputs;
      }
    } finally {
      OnnxValue.close(feeds);
    }
  }

  private static OnnxTensor tensor(OrtEnvironment environment, TensorProto value)
      throws OrtException {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(Math.toIntExact(value.elements().byteSize()))
            .order(ByteOrder.nativeOrder());
    MemorySegment.ofBuffer(bytes).copyFrom(value.elements());
    return OnnxTensor.createTensor(
        environment, bytes, value.shape().toArray(), OnnxJavaType.valueOf(value.type().name()));
  }
}
