package dev.millrace.gpu.kernel;

/**
 * All that the compiler said of a source that it refused: the message. It is the cause of the
 * exception that says what is wrong, and is never thrown itself.
 */
public final class CompilerLog extends Exception {
  private static final long serialVersionUID = 1L;

  CompilerLog(String text) {
    super(text, null, false, false); // where it was made says nothing
  }
}
