package dev.millrace.profiler.importer;

import java.io.Serial;

/** A row lacks a field or has one of another type. It is counted, so it needs no stack trace. */
final class MalformedRowException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  MalformedRowException(String message) {
    super(message, null, false, false);
  }
}
