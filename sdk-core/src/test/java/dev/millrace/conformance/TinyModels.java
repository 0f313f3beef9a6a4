package dev.millrace.conformance;

import dev.millrace.model.Model;
import dev.millrace.testing.OnnxGraph;
import java.util.List;

/** ONNX models of a few bytes with results that anybody can work out; types are ONNX's numbers. */
public final class TinyModels {
  private static final int FLOAT = 1;
  private static final int INT64 = 7;

  private TinyModels() {}

  /**
   * {@code sum = a + b}.
   *
   * @param elements how many floats each of them has
   * @return the model
   */
  public static Model add(int elements) {
    return new OnnxGraph()
        .node("Add", List.of("a", "b"), List.of("sum"))
        .input("a", FLOAT, elements)
        .input("b", FLOAT, elements)
        .output("sum", FLOAT, elements)
        .toModel();
  }

  /**
   * {@code y = x · w · w · …}: as slow as its caller wants.
   *
   * @param size rows and columns of the square matrices, of floats
   * @param products how often {@code w} is multiplied
   * @return the model
   */
  public static Model chain(int size, int products) {
    OnnxGraph graph = new OnnxGraph();
    String last = "x";
    for (int i = 1; i <= products; i++) {
      String next = i == products ? "y" : "y" + i;
      graph.node("MatMul", List.of(last, "w"), List.of(next));
      last = next;
    }
    return graph
        .input("x", FLOAT, size, size)
        .input("w", FLOAT, size, size)
        .output("y", FLOAT, size, size)
        .toModel();
  }

  /**
   * {@code places = NonZero(x)}: the shape of the output depends on the values of the input.
   *
   * @param elements how many floats {@code x} has
   * @return the model
   */
  public static Model nonZero(int elements) {
    return new OnnxGraph()
        .node("NonZero", List.of("x"), List.of("places"))
        .input("x", FLOAT, elements)
        .output("places", INT64, 1, "n")
        .toModel();
  }

  /**
   * {@code total} is the sum of all {@code places}, of which there may be any number: what {@link
   * #nonZero} gives.
   *
   * @return the model
   */
  public static Model total() {
    return new OnnxGraph()
        .node("ReduceSum", List.of("places"), List.of("total"), "keepdims", 0)
        .input("places", INT64, 1, "n")
        .output("total", INT64)
        .toModel();
  }

  /**
   * {@code y = table[index]}: fails when it runs if the index lies outside.
   *
   * @param elements how many floats the table has
   * @return the model
   */
  public static Model gather(int elements) {
    return new OnnxGraph()
        .node("Gather", List.of("table", "index"), List.of("y"))
        .input("table", FLOAT, elements)
        .input("index", INT64, 1)
        .output("y", FLOAT, 1)
        .toModel();
  }

  /**
   * As {@link #gather}, of as many elements as the table has where the index is not 0, so that the
   * shape of {@code places} is known only if the run succeeds.
   *
   * @param elements how many floats the table has
   * @return the model
   */
  public static Model gatherNonZero(int elements) {
    return new OnnxGraph()
        .node("Gather", List.of("table", "index"), List.of("one"))
        .node("NonZero", List.of("one"), List.of("places"))
        .input("table", FLOAT, elements)
        .input("index", INT64, 1)
        .output("places", INT64, 1, "n")
        .toModel();
  }
}
