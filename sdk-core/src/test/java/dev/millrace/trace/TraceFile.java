package dev.millrace.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace as its format's page says, with a parser that knows nothing of the writer.
 *
 * @param rows the lines that are whole, in order
 */
record TraceFile(List<Row> rows) {
  private static final JsonFactory JSON = new JsonFactory();

  /** One line. */
  record Row(Map<String, @Nullable Object> fields) {
    String text(String field) {
      return String.valueOf(fields.get(field));
    }

    long number(String field) {
      return ((Number) require(fields, field)).longValue();
    }

    /** A field of microseconds, as nanoseconds. */
    long nanos(String field) {
      return ((BigDecimal) require(fields, field)).movePointRight(3).longValueExact();
    }

    @SuppressWarnings("unchecked") // What the parser below makes of an object.
    Map<String, @Nullable Object> args() {
      return (Map<String, @Nullable Object>) require(fields, "args");
    }

    Object arg(String field) {
      return require(args(), field);
    }

    long argNumber(String field) {
      return ((Number) arg(field)).longValue();
    }

    private static Object require(Map<String, @Nullable Object> from, String field) {
      Object value = from.get(field);
      if (value == null) {
        throw new AssertionError("no " + field + " in " + from);
      }
      return value;
    }
  }

  /** Line by line; what stands behind the last line's end is left out. */
  static TraceFile read(Path file) throws IOException {
    return parse(Files.readAllBytes(file), Integer.MAX_VALUE);
  }

  /** The same of a file's first bytes. */
  static TraceFile parse(byte[] bytes, int length) {
    String text = new String(bytes, 0, Math.min(length, bytes.length), StandardCharsets.UTF_8);
    List<Row> rows = new ArrayList<>();
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : whole.split("\n", -1)) {
      if (line.startsWith("{")) {
        rows.add(row(line.endsWith(",") ? line.substring(0, line.length() - 1) : line));
      } else if (!line.isEmpty() && !line.equals("[") && !line.equals("]")) {
        throw new AssertionError("not a row: " + line);
      }
    }
    return new TraceFile(rows);
  }

  /** As one JSON array, which only a file that was closed in order is. */
  static TraceFile readArray(Path file) throws IOException {
    try (JsonParser parser = JSON.createParser(file.toFile())) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new AssertionError("not an array");
      }
      List<Row> rows = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        rows.add(new Row(object(parser)));
      }
      if (parser.nextToken() != null) {
        throw new AssertionError("something behind the array");
      }
      return new TraceFile(rows);
    }
  }

  private static Row row(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      Row row = new Row(object(parser));
      if (parser.nextToken() != null) {
        throw new AssertionError("something behind the row: " + json);
      }
      return row;
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (fields.containsKey(name)) {
        throw new AssertionError("field twice: " + name);
      }
      fields.put(name, value(parser));
    }
    return fields;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<@Nullable Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(parser));
        }
        yield values;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError(parser.currentToken());
    };
  }

  /** Rows of one kind of event. */
  List<Row> ofKind(Class<? extends TraceEvent> kind) {
    return rows.stream().filter(row -> kind.getSimpleName().equals(row.text("cat"))).toList();
  }

  /** Rows about the trace. */
  List<Row> meta(String name) {
    return rows.stream()
        .filter(row -> row.text("ph").equals("M") && row.text("name").equals(name))
        .toList();
  }

  /** One end of each arrow, by the arrow's id. */
  List<Row> phase(String phase) {
    return rows.stream().filter(row -> row.text("ph").equals(phase)).toList();
  }

  long baseNs() {
    return meta("millrace.header").getFirst().argNumber("baseNs");
  }
}
