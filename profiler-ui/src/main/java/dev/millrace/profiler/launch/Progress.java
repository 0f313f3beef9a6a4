package dev.millrace.profiler.launch;

import java.io.Console;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Says how far long work has come. */
interface Progress {

  /** Says what is being done, and which of how many steps of it are done. */
  void at(String what, int done, int of);

  static Progress none() {
    return (what, done, of) -> {};
  }

  /** On a terminal one line that is written over; elsewhere a line for each quarter. */
  static Progress on(PrintWriter err) {
    return isTerminal(System.console())
        ? overwriting(err)
        : (what, done, of) -> quarters(err, what, done, of);
  }

  private static boolean isTerminal(@Nullable Console console) {
    return console != null && console.isTerminal();
  }

  private static Progress overwriting(PrintWriter err) {
    return (what, done, of) -> {
      err.printf("\r\u001b[K%s %d/%d", what, done, of);
      if (done == of) {
        err.println();
      }
      err.flush();
    };
  }

  private static void quarters(PrintWriter err, String what, int done, int of) {
    if (4 * done / of != 4 * (done - 1) / of || done == of) {
      err.printf("%s %d/%d%n", what, done, of);
      err.flush();
    }
  }
}
