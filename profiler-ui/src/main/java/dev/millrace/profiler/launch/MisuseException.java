package dev.millrace.profiler.launch;

import java.io.Serial;

/** The command line asks for something that makes no sense; the message says what, in one line. */
final class MisuseException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  MisuseException(String message) {
    super(message);
  }
}
