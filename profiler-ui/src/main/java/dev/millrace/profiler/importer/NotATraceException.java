package dev.millrace.profiler.importer;

import java.io.IOException;
import java.io.Serial;

/** A file is no trace that can be read; the message says in one sentence what it is instead. */
public final class NotATraceException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  NotATraceException(String message) {
    super(message);
  }
}
