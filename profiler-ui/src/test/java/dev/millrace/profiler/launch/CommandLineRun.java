package dev.millrace.profiler.launch;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command line did: its exit status and what it wrote. */
record CommandLineRun(int status, String out, String err) {
  static CommandLineRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new CommandLineRun(status, out.toString(), err.toString());
  }
}
