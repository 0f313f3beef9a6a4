package dev.millrace.conformance;

import dev.millrace.model.Model;
import dev.millrace.tensor.DataType;
import java.util.List;

/**
 * ONNX models of a few bytes with results that anybody can work out. Field numbers are those of
 * {@code onnx.proto}.
 */
public final class TinyModels {
  private static final int IR_VERSION = 8;
  private static final int OPSET = 13;

  /** A dimension that only a run knows. */
  private static final long UNKNOWN = -1;

  private TinyModels() {}

  /**
   * {@code sum = a + b}.
   *
   * @param elements how many floats each of them has
   * @return the model
   */
  public static Model add(int elements) {
    ProtoMessage graph = graph(node("Add", List.of("a", "b"), "sum"));
    graph.message(11, value("a", DataType.FLOAT, elements));
    graph.message(11, value("b", DataType.FLOAT, elements));
    graph.message(12, value("sum", DataType.FLOAT, elements));
    return model(graph);
  }

  /**
   * {@code y = x · w · w · …}: as slow as its caller wants.
   *
   * @param size rows and columns of the square matrices, of floats
   * @param products how often {@code w} is multiplied
   * @return the model
   */
  public static Model chain(int size, int products) {
    ProtoMessage graph = new ProtoMessage();
    String last = "x";
    for (int i = 1; i <= products; i++) {
      String next = i == products ? "y" : "y" + i;
      graph.message(1, node("MatMul", List.of(last, "w"), next));
      last = next;
    }
    graph.text(2, "chain");
    graph.message(11, value("x", DataType.FLOAT, size, size));
    graph.message(11, value("w", DataType.FLOAT, size, size));
    graph.message(12, value("y", DataType.FLOAT, size, size));
    return model(graph);
  }

  /**
   * {@code places = NonZero(x)}: the shape of the output depends on the values of the input.
   *
   * @param elements how many floats {@code x} has
   * @return the model
   */
  public static Model nonZero(int elements) {
    ProtoMessage graph = graph(node("NonZero", List.of("x"), "places"));
    graph.message(11, value("x", DataType.FLOAT, elements));
    graph.message(12, value("places", DataType.INT64, 1, UNKNOWN));
    return model(graph);
  }

  /**
   * {@code total} is the sum of all {@code places}, of which there may be any number: what {@link
   * #nonZero} gives.
   *
   * @return the model
   */
  public static Model total() {
    ProtoMessage node = node("ReduceSum", List.of("places"), "total");
    node.message(5, new ProtoMessage().text(1, "keepdims").number(3, 0).number(20, 2));
    ProtoMessage graph = graph(node);
    graph.message(11, value("places", DataType.INT64, 1, UNKNOWN));
    graph.message(12, value("total", DataType.INT64));
    return model(graph);
  }

  /**
   * {@code y = table[index]}: fails when it runs if the index lies outside.
   *
   * @param elements how many floats the table has
   * @return the model
   */
  public static Model gather(int elements) {
    ProtoMessage graph = graph(node("Gather", List.of("table", "index"), "y"));
    graph.message(11, value("table", DataType.FLOAT, elements));
    graph.message(11, value("index", DataType.INT64, 1));
    graph.message(12, value("y", DataType.FLOAT, 1));
    return model(graph);
  }

  /**
   * As {@link #gather}, of as many elements as the table has where the index is not 0, so that the
   * shape of {@code places} is known only if the run succeeds.
   *
   * @param elements how many floats the table has
   * @return the model
   */
  public static Model gatherNonZero(int elements) {
    ProtoMessage graph = new ProtoMessage();
    graph.message(1, node("Gather", List.of("table", "index"), "one"));
    graph.message(1, node("NonZero", List.of("one"), "places"));
    graph.text(2, "gatherNonZero");
    graph.message(11, value("table", DataType.FLOAT, elements));
    graph.message(11, value("index", DataType.INT64, 1));
    graph.message(12, value("places", DataType.INT64, 1, UNKNOWN));
    return model(graph);
  }

  private static Model model(ProtoMessage graph) {
    return Model.onnx(
        new ProtoMessage()
            .number(1, IR_VERSION)
            .message(8, new ProtoMessage().number(2, OPSET))
            .message(7, graph)
            .toByteArray());
  }

  private static ProtoMessage graph(ProtoMessage node) {
    return new ProtoMessage().message(1, node).text(2, "tiny");
  }

  private static ProtoMessage node(String operator, List<String> inputs, String output) {
    ProtoMessage node = new ProtoMessage();
    inputs.forEach(input -> node.text(1, input));
    return node.text(2, output).text(3, output).text(4, operator);
  }

  private static ProtoMessage value(String name, DataType type, long... dims) {
    ProtoMessage shape = new ProtoMessage();
    for (long dim : dims) {
      shape.message(
          1, dim == UNKNOWN ? new ProtoMessage().text(2, "n") : new ProtoMessage().number(1, dim));
    }
    int element = type == DataType.FLOAT ? 1 : 7;
    ProtoMessage tensor = new ProtoMessage().number(1, element).message(2, shape);
    return new ProtoMessage().text(1, name).message(2, new ProtoMessage().message(1, tensor));
  }
}
