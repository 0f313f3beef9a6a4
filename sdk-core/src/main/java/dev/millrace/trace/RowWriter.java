package dev.millrace.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of the Chrome Trace Event array form, one a line. A row is {@link #slice}, {@link
 * #instant}, {@link #meta} or {@link #arrow}, then its fields, then {@link #end}. One thread.
 */
final class RowWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .rootValueSeparator("")
          // After a failure the file ends where it ends.
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .build();

  private final long baseNs;
  private final JsonGenerator json;

  /**
   * Begins the array.
   *
   * @param baseNs what is subtracted from each time
   */
  RowWriter(OutputStream out, long baseNs) throws IOException {
    this.baseNs = baseNs;
    // Through a Writer, since Java's encoder replaces half a surrogate pair, where Jackson's own
    // gives up in the middle of the row.
    this.json =
        JSON.createGenerator(
            new OutputStreamWriter(
                new BufferedOutputStream(out, BUFFER_BYTES), StandardCharsets.UTF_8));
    json.writeRaw("[\n");
  }

  /** Something that took time. */
  RowWriter slice(String kind, String name, Track track, long beginNs, long endNs)
      throws IOException {
    long from = Math.max(0, beginNs - baseNs);
    long to = Math.max(from, endNs - baseNs);
    open("X", kind, name, track);
    microseconds("ts", from);
    microseconds("dur", to - from);
    return args();
  }

  /** Something that happened at once. */
  RowWriter instant(String kind, String name, Track track, long atNs) throws IOException {
    open("i", kind, name, track);
    json.writeStringField("s", "t");
    microseconds("ts", Math.max(0, atNs - baseNs));
    return args();
  }

  /** One end of an arrow between two slices. */
  RowWriter arrow(boolean start, long id, Track track, long atNs) throws IOException {
    open(start ? "s" : "f", "EventPair", "event", track);
    json.writeNumberField("id", id);
    if (!start) {
      // Ends at the slice around it; without this a viewer takes the next one that begins.
      json.writeStringField("bp", "e");
    }
    microseconds("ts", Math.max(0, atNs - baseNs));
    return args();
  }

  /** Something about the trace itself. */
  RowWriter meta(String name, Track track, long atNs) throws IOException {
    open("M", null, name, track);
    microseconds("ts", Math.max(0, atNs - baseNs));
    return args();
  }

  private void open(String phase, @Nullable String kind, String name, Track track)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    if (kind != null) {
      json.writeStringField("cat", kind);
    }
    json.writeStringField("name", name);
    json.writeNumberField("pid", track.pid());
    json.writeNumberField("tid", track.tid());
  }

  private RowWriter args() throws IOException {
    json.writeObjectFieldStart("args");
    return this;
  }

  /** Exact where a double of the same text would not always be. */
  private void microseconds(String field, long ns) throws IOException {
    json.writeFieldName(field);
    long fraction = ns % 1000;
    String zeros = fraction < 10 ? ".00" : fraction < 100 ? ".0" : ".";
    json.writeNumber(ns / 1000 + zeros + fraction);
  }

  /** A time of {@link System#nanoTime()}, written from the base. */
  RowWriter time(String field, long atNs) throws IOException {
    return number(field, atNs - baseNs);
  }

  RowWriter number(String field, long value) throws IOException {
    json.writeNumberField(field, value);
    return this;
  }

  RowWriter bool(String field, boolean value) throws IOException {
    json.writeBooleanField(field, value);
    return this;
  }

  RowWriter text(String field, @Nullable String value) throws IOException {
    json.writeStringField(field, value);
    return this;
  }

  RowWriter texts(String field, List<String> values) throws IOException {
    json.writeFieldName(field);
    json.writeArray(values.toArray(new String[0]), 0, values.size());
    return this;
  }

  RowWriter numbers(String field, Map<String, Long> values) throws IOException {
    json.writeObjectFieldStart(field);
    for (Map.Entry<String, Long> value : values.entrySet()) {
      json.writeNumberField(value.getKey(), value.getValue());
    }
    json.writeEndObject();
    return this;
  }

  /** Ends a row that others follow. */
  void end() throws IOException {
    close(",\n");
  }

  /** Ends the last row, and the array. */
  void endArray() throws IOException {
    close("\n]\n");
  }

  private void close(String terminator) throws IOException {
    json.writeEndObject();
    json.writeEndObject();
    json.writeRaw(terminator);
  }

  void flush() throws IOException {
    json.flush();
  }

  /** Closes the stream below too. */
  @Override
  public void close() throws IOException {
    json.close();
  }
}
