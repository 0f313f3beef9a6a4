package dev.millrace.profiler.importer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the traces that the SDK writes, as {@code docs/trace-format.md} describes them. A file that
 * was cut anywhere is read up to the cut.
 */
public final class MillraceTraceReader {
  private static final long VERSION = 1;
  private static final JsonFactory JSON = new JsonFactory();

  private final String source;
  private final Troubles troubles = new Troubles();
  private final EventFields fields = new EventFields();
  private final MillraceRows rows = new MillraceRows(fields, troubles);
  private @Nullable TraceHeader header;
  private boolean hasFooter;

  private MillraceTraceReader(String source) {
    this.source = source;
  }

  /**
   * Reads a file.
   *
   * @throws NotATraceException if it is no trace of ours
   * @throws IOException if it cannot be read
   */
  public static ImportedTrace read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new NotATraceException(file + " is a directory, not a trace");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString());
    } catch (NoSuchFileException e) {
      throw new NotATraceException("there is no file " + file);
    }
  }

  /**
   * Reads a stream to its end and leaves it open.
   *
   * @param source what messages call it
   * @throws NotATraceException if it is no trace of ours
   * @throws IOException if it cannot be read
   */
  public static ImportedTrace read(InputStream in, String source) throws IOException {
    return new MillraceTraceReader(source).readAll(in);
  }

  private ImportedTrace readAll(InputStream in) throws IOException {
    try (JsonParser parser = JSON.createParser(in).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)) {
      header = readHeader(parser);
      readRows(parser);
      return new ImportedTrace(header, rows.build(), troubles.list());
    }
  }

  private TraceHeader readHeader(JsonParser parser) throws IOException {
    try {
      JsonToken start = parser.nextToken();
      if (start == null) {
        throw new NotATraceException(source + " is empty");
      }
      if (start != JsonToken.START_ARRAY || parser.nextToken() != JsonToken.START_OBJECT) {
        throw new NotATraceException(
            source + " is JSON, but no Millrace trace: it is not an array of rows");
      }
      fields.read(parser);
    } catch (JsonProcessingException | CharConversionException e) {
      throw new NotATraceException(
          source + " is no Millrace trace: it does not begin with a row in JSON");
    }
    return header();
  }

  private TraceHeader header() throws NotATraceException {
    if (!fields.text("args.format", "").equals("millrace-trace")) {
      throw new NotATraceException(
          source + " is JSON, but no Millrace trace: its first row is not a millrace.header");
    }
    try {
      TraceHeader it =
          new TraceHeader(
              fields.number("args.version"),
              fields.number("args.process"),
              fields.text("args.java", ""),
              fields.text("args.os", ""),
              fields.number("args.baseNs"));
      if (it.version() > VERSION) {
        troubles.add(TroubleKind.NEWER_VERSION, "version=" + it.version());
      }
      return it;
    } catch (MalformedRowException e) {
      throw new NotATraceException(source + " has a broken header: " + e.getMessage());
    }
  }

  private void readRows(JsonParser parser) throws IOException {
    try {
      while (!hasFooter && parser.nextToken() == JsonToken.START_OBJECT) {
        fields.read(parser);
        readRow();
      }
      if (!hasFooter) {
        troubles.add(TroubleKind.CUT, "after row " + rows.count());
      }
    } catch (JsonProcessingException | CharConversionException e) {
      troubles.add(TroubleKind.CUT, "in the row after row " + rows.count());
    }
  }

  private void readRow() {
    try {
      switch (fields.text("ph")) {
        case "M" -> readMetadata();
        case "s", "f" -> {} // Arrows for viewers; the pairs are in the rows of the waits.
        default -> rows.add(fields.text("cat"));
      }
    } catch (MalformedRowException e) {
      troubles.add(TroubleKind.MALFORMED_ROW, e.getMessage() + " in row " + rows.count());
    }
  }

  private void readMetadata() {
    switch (fields.text("name")) {
      case "thread_name" -> readThreadName();
      case "millrace.footer" -> readFooter();
      default -> {} // Of use to viewers only, or newer than this reader.
    }
  }

  /** Streams have names too, as threads of the viewer's pseudo-processes. */
  private void readThreadName() {
    if (header != null && fields.number("pid") == header.process()) {
      rows.nameThread();
    }
  }

  private void readFooter() {
    hasFooter = true;
    long written = fields.sum("args.rows.");
    troubles.add(
        TroubleKind.ROWS_MISSING,
        Math.max(0, written - rows.count()),
        written + " were written, " + rows.count() + " read");
    long dropped = fields.sum("args.dropped.");
    troubles.add(TroubleKind.EVENTS_DROPPED, dropped, "of " + (written + dropped));
  }
}
