package dev.millrace.samples.bench;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.millrace.samples.models.MeasuredModel;
import dev.millrace.tensor.Tensor;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * ONNX Runtime without Millrace: a session with the options that Millrace gives it, over memory
 * that is described to it once, as an application would that wants the best of it.
 */
final class BareSession implements AutoCloseable {
  private final OrtSession session;
  private final OnnxTensor input;
  private final OnnxTensor output;
  private final Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
  private final Map<String, OnnxTensor> outputs = new LinkedHashMap<>();

  BareSession(MeasuredModel model, Tensor input, Tensor output) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setIntraOpNumThreads(MeasuredModel.THREADS_PER_RUN);
      options.setInterOpNumThreads(1);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      this.session = OrtEnvironment.getEnvironment().createSession(model.bytes(), options);
    }
    this.input = over(input);
    this.output = over(output);
    inputs.put(session.getInputNames().iterator().next(), this.input);
    outputs.put(session.getOutputNames().iterator().next(), this.output);
  }

  private static OnnxTensor over(Tensor tensor) throws OrtException {
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(),
        tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder()),
        tensor.shape().toArray(),
        OnnxJavaType.FLOAT);
  }

  void run() throws OrtException {
    session.run(inputs, Set.of(), outputs).close();
  }

  @Override
  public void close() throws OrtException {
    session.close();
    input.close();
    output.close();
  }
}
