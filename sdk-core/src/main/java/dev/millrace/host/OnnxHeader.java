package dev.millrace.host;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a model's own text says of its inputs and outputs (ONNX's {@code onnx.proto}: ModelProto,
 * GraphProto, ValueInfoProto, TypeProto). It serves where ONNX Runtime's Java API is silent: that
 * names no 4-bit type, takes a shape of unknown rank for that of a scalar, and tells the symbols of
 * free dimensions only when they can no longer be set.
 *
 * @param inputs by name, with those that are initializers too
 * @param outputs by name
 */
record OnnxHeader(Map<String, Value> inputs, Map<String, Value> outputs) {
  private static final int MODEL_GRAPH = 7;
  private static final int GRAPH_INPUT = 11;
  private static final int GRAPH_OUTPUT = 12;

  /**
   * One input or output.
   *
   * @param type ONNX's number of the element type, or 0 where it is no tensor
   * @param dims null where the rank is not stated
   */
  record Value(String name, int type, @Nullable List<Dim> dims) {
    static Value unknown(String name) {
      return new Value(name, 0, null);
    }
  }

  /**
   * One dimension.
   *
   * @param size -1 where it may vary
   * @param symbol empty where it has none
   */
  record Dim(long size, String symbol) {}

  /**
   * Reads the part of a model that describes its interface; weights are skipped, not read. Whether
   * the model is sound is for ONNX Runtime to say: of one that is not, nothing is known.
   */
  static OnnxHeader of(Path file) {
    try (Arena arena = Arena.ofConfined()) {
      return of(mapUninterrupted(file, arena));
    } catch (IOException e) {
      return new OnnxHeader(Map.of(), Map.of());
    }
  }

  /** An interrupt closes a channel: the model would seem to say nothing of itself. */
  private static MemorySegment mapUninterrupted(Path file, Arena arena) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return map(file, arena);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static MemorySegment map(Path file, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
    }
  }

  /** The same of a model in memory. */
  static OnnxHeader of(MemorySegment bytes) {
    Map<String, Value> inputs = new HashMap<>();
    Map<String, Value> outputs = new HashMap<>();
    try {
      for (ProtoReader model = new ProtoReader(bytes); model.next(); ) {
        if (model.field() == MODEL_GRAPH) {
          readGraph(model.message(), inputs, outputs);
        }
      }
    } catch (IndexOutOfBoundsException e) {
      return new OnnxHeader(Map.of(), Map.of());
    }
    return new OnnxHeader(inputs, outputs);
  }

  private static void readGraph(
      ProtoReader graph, Map<String, Value> inputs, Map<String, Value> outputs) {
    while (graph.next()) {
      if (graph.field() == GRAPH_INPUT || graph.field() == GRAPH_OUTPUT) {
        Value value = readValue(graph.message());
        (graph.field() == GRAPH_INPUT ? inputs : outputs).put(value.name(), value);
      }
    }
  }

  private static Value readValue(ProtoReader info) {
    Value value = Value.unknown("");
    while (info.next()) {
      switch (info.field()) {
        case 1 -> value = new Value(info.text(), value.type(), value.dims());
        case 2 -> value = readType(value.name(), info.message());
        default -> {}
      }
    }
    return value;
  }

  private static Value readType(String name, ProtoReader type) {
    Value value = Value.unknown(name);
    while (type.next()) {
      if (type.field() == 1) {
        value = readTensorType(name, type.message());
      }
    }
    return value;
  }

  private static Value readTensorType(String name, ProtoReader tensor) {
    int type = 0;
    List<Dim> dims = null;
    while (tensor.next()) {
      switch (tensor.field()) {
        case 1 -> type = (int) tensor.number();
        case 2 -> dims = readShape(tensor.message());
        default -> {}
      }
    }
    return new Value(name, type, dims);
  }

  private static List<Dim> readShape(ProtoReader shape) {
    List<Dim> dims = new ArrayList<>();
    while (shape.next()) {
      if (shape.field() == 1) {
        dims.add(readDim(shape.message()));
      }
    }
    return dims;
  }

  private static Dim readDim(ProtoReader dim) {
    Dim result = new Dim(-1, "");
    while (dim.next()) {
      switch (dim.field()) {
        case 1 -> result = new Dim(dim.number(), "");
        case 2 -> result = new Dim(-1, dim.text());
        default -> {}
      }
    }
    return result;
  }
}
