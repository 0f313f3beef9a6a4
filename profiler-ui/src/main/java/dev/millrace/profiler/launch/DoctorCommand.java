package dev.millrace.profiler.launch;

import dev.millrace.handle.DeviceId;
import dev.millrace.spi.DeviceProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace doctor}: what is on this machine. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Says what is on this machine, what was looked for where, and every setting.")
final class DoctorCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec, "spec").commandLine().getOut();
    Environment.facts().forEach((name, value) -> line(out, name, value));
    line(out, "javaHome", System.getProperty("java.home"));
    line(out, "temporaryFolder", temporaryFolder(Path.of(System.getProperty("java.io.tmpdir"))));
    writeDevices(out);
    writeLibraries(out, new GpuLibraries(Path.of("/"), System.getenv()));
    out.println();
    out.println("AMD GPUs");
    new GpuChecks(Path.of("/"), System.getenv())
        .results()
        .forEach((name, found) -> line(out, "  " + name, found));
    writeSettings(out);
    out.flush();
  }

  private static void line(PrintWriter out, String name, String value) {
    out.printf("%-30s%s%n", name, value);
  }

  /** ONNX Runtime unpacks its libraries there, so programs have to be allowed to run there. */
  static String temporaryFolder(Path folder) {
    try {
      Path script =
          Files.createTempFile(
              folder,
              "millrace",
              ".sh",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      try {
        Files.writeString(script, "#!/bin/sh\nexit 0\n");
        int status = new ProcessBuilder(script.toString()).start().waitFor();
        return folder + (status == 0 ? ", can be written and executed" : ", status " + status);
      } finally {
        Files.delete(script);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return folder + " cannot be written or executed (" + e.getMessage() + ")";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return folder + ", not tried";
    }
  }

  private static void writeDevices(PrintWriter out) {
    out.println();
    out.println("devices");
    for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
      List<DeviceId> ids = provider.list();
      String found =
          ids.isEmpty()
              ? "none: " + provider.whyAbsent().orElse("no reason given")
              : ids.stream().map(DeviceId::toString).collect(Collectors.joining(", "));
      line(out, "  " + provider.kind(), found);
    }
  }

  private static void writeLibraries(PrintWriter out, GpuLibraries libraries) {
    out.println();
    out.println("GPU libraries, in the order of the search (nothing is loaded)");
    line(out, "  /dev/kfd", libraries.kernelDriver());
    libraries.folders().forEach(folder -> line(out, "  " + folder, inFolder(folder)));
  }

  private static String inFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      return "no such folder";
    }
    return GpuLibraries.NAMES.stream()
        .map(name -> text(name, GpuLibraries.files(folder, name)))
        .collect(Collectors.joining("; "));
  }

  private static String text(String name, List<Path> files) {
    return files.isEmpty()
        ? "no " + name
        : files.stream()
            .map(it -> String.valueOf(it.getFileName()))
            .collect(Collectors.joining(", "));
  }

  private static void writeSettings(PrintWriter out) {
    out.println();
    out.println("settings (value, or else the default in brackets)");
    for (Setting setting : Setting.ALL) {
      String value = setting.value().orElse("[" + setting.fallback() + "]");
      out.printf("  %-34s%-28s  %s%n", setting.form(), value, setting.meaning());
    }
  }
}
