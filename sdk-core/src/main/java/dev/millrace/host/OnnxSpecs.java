package dev.millrace.host;

import ai.onnxruntime.MapInfo;
import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.SequenceInfo;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.ValueInfo;
import dev.millrace.error.ModelException;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.TensorSpec;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells a session's inputs and outputs in our words, and refuses what the binding cannot pass. */
final class OnnxSpecs {
  private final String model;
  private final OnnxHeader header;

  OnnxSpecs(String model, OnnxHeader header) {
    this.model = model;
    this.header = header;
  }

  List<TensorSpec> inputs(OrtSession session) {
    return specs(infos(session::getInputInfo), "input", "feed", header.inputs());
  }

  List<TensorSpec> outputs(OrtSession session) {
    return specs(infos(session::getOutputInfo), "output", "read", header.outputs());
  }

  private interface Question {
    Map<String, NodeInfo> ask() throws OrtException;
  }

  private Collection<NodeInfo> infos(Question question) {
    try {
      return question.ask().values();
    } catch (OrtException e) {
      // Seen for optional types: the binding fails before it gives any name.
      throw new ModelException(
          model,
          "it has an input or output of a kind that ONNX Runtime's Java binding cannot describe: "
              + e.getMessage(),
          e);
    }
  }

  private List<TensorSpec> specs(
      Collection<NodeInfo> infos, String role, String act, Map<String, OnnxHeader.Value> stated) {
    return infos.stream()
        .map(
            info -> {
              OnnxHeader.Value text =
                  stated.getOrDefault(info.getName(), OnnxHeader.Value.unknown(info.getName()));
              return spec(info, role + "=" + info.getName(), act, text);
            })
        .toList();
  }

  private TensorSpec spec(NodeInfo node, String subject, String act, OnnxHeader.Value stated) {
    if (!(node.getInfo() instanceof TensorInfo info)) {
      throw refused(subject, kind(node.getInfo()), act);
    }
    DataType type =
        OnnxTypes.fromBinding(info.onnxType)
            .orElseThrow(() -> refused(subject, typeName(info, stated), act));
    return new TensorSpec(node.getName(), type, shape(info, stated));
  }

  private ModelException refused(String subject, String type, String act) {
    return new ModelException(
        model,
        subject
            + " is of type "
            + type
            + ", which ONNX Runtime's Java binding cannot "
            + act
            + "; it can: float, double, float16, bfloat16, int8, uint8, int16, int32, int64, bool");
  }

  private static String kind(ValueInfo info) {
    return switch (info) {
      case SequenceInfo _ -> "sequence";
      case MapInfo _ -> "map";
      default -> info.toString();
    };
  }

  private static String typeName(TensorInfo info, OnnxHeader.Value stated) {
    String name = info.onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", "");
    if (name.equals("UNDEFINED") && stated.type() != 0) {
      name = DataType.fromOnnx(stated.type()).name();
    }
    return name.toLowerCase(Locale.ROOT);
  }

  // The binding gives a shape of unknown rank as that of a scalar.
  private static Shape shape(TensorInfo info, OnnxHeader.Value stated) {
    long[] dims = info.getShape();
    return dims.length == 0 && stated.dims() == null ? Shape.ofAnyRank() : Shape.of(dims);
  }
}
