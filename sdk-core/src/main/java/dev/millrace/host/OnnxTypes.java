package dev.millrace.host;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import dev.millrace.tensor.DataType;
import java.util.Optional;

/**
 * The element types that ONNX Runtime's Java binding both feeds and reads faithfully. It has no
 * word for the others: it would take unsigned 16, 32 and 64-bit integers for signed ones, and shows
 * the 4-bit types as undefined.
 */
final class OnnxTypes {
  private OnnxTypes() {}

  static Optional<DataType> fromBinding(OnnxTensorType type) {
    return Optional.ofNullable(
        switch (type) {
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DataType.FLOAT;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DataType.DOUBLE;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DataType.FLOAT16;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 -> DataType.BFLOAT16;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DataType.INT8;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DataType.UINT8;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DataType.INT16;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DataType.INT32;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DataType.INT64;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DataType.BOOL;
          default -> null;
        });
  }

  static OnnxJavaType toBinding(DataType type) {
    return switch (type) {
      case FLOAT -> OnnxJavaType.FLOAT;
      case DOUBLE -> OnnxJavaType.DOUBLE;
      case FLOAT16 -> OnnxJavaType.FLOAT16;
      case BFLOAT16 -> OnnxJavaType.BFLOAT16;
      case INT8 -> OnnxJavaType.INT8;
      case UINT8 -> OnnxJavaType.UINT8;
      case INT16 -> OnnxJavaType.INT16;
      case INT32 -> OnnxJavaType.INT32;
      case INT64 -> OnnxJavaType.INT64;
      case BOOL -> OnnxJavaType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "type=" + type + ": ONNX Runtime's Java binding cannot feed or read it");
    };
  }
}
