package dev.millrace.profiler.launch;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code millrace} command. */
@Command(
    name = "millrace",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Runs GPU programs on the stream you own, and shows what each queue waited for.")
public final class Main implements Runnable {
  private Main() {}

  /**
   * Runs the command and ends the process: 0 when all went well, 2 for a command line that makes no
   * sense.
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
