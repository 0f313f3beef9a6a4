package dev.millrace.profiler.launch;

import dev.millrace.error.ModelException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The {@code millrace} command. */
@Command(
    name = "millrace",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {CompareCommand.class, DoctorCommand.class},
    description = "Runs GPU programs on the stream you own, and shows what each queue waited for.")
public final class Main implements Runnable {
  /** A failure that is no misuse. */
  private static final int FAILED = 1;

  private static final int MISUSED = 2;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Shows where in the code a failure happened; -Dmillrace.debug does the same.")
  private boolean debug;

  private Main() {}

  /**
   * Runs the command and ends the process: 0 when all went well, 2 for a command line that makes no
   * sense, 1 for any other failure.
   */
  public static void main(String[] args) {
    // A terminal shows UTF-8 even where the locale is the plain one of a container.
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(execute(out, err, args));
  }

  /** Runs the command and returns the process's exit status. */
  static int execute(PrintWriter out, PrintWriter err, String... args) {
    Main main = new Main();
    return new CommandLine(main)
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler((failure, rest) -> misused(failure))
        .setExecutionExceptionHandler((failure, command, rest) -> main.failed(failure, command))
        .execute(args);
  }

  @Override
  public void run() {
    throw new MisuseException("say what to do: compare or doctor; millrace --help tells more");
  }

  private static int misused(ParameterException failure) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    say(command.getErr(), firstLine(failure) + " (see " + name + " --help)");
    return MISUSED;
  }

  private int failed(Exception failure, CommandLine command) {
    say(command.getErr(), firstLine(failure));
    if (debug || Boolean.getBoolean("millrace.debug")) {
      failure.printStackTrace(command.getErr());
    }
    return isMisuse(failure) ? MISUSED : FAILED;
  }

  /** Not to be usable as a model is a fault of the file that was named. */
  private static boolean isMisuse(Exception failure) {
    return failure instanceof MisuseException || failure instanceof ModelException;
  }

  private static String firstLine(Exception failure) {
    String message = Optional.ofNullable(failure.getMessage()).orElseGet(failure::toString);
    return message.lines().findFirst().orElse(message);
  }

  private static void say(PrintWriter err, String what) {
    err.println("millrace: " + what);
    err.flush();
  }
}
