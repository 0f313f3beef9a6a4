package dev.millrace.samples.gpubench;

import dev.millrace.gpu.Gpu;
import java.io.IOException;
import java.util.Optional;

/**
 * Millrace on a GPU beside a C program that makes the same calls through the same libraries, in
 * turns in one process.
 *
 * <p>{@code GpuBenchmark --floor libbenchfloor.so [--json FILE] [--rounds N] [--warm-up N] [--parts
 * submit,bind,bytes,patterns]} with {@code -Dmillrace.rocm=FOLDER}. Exits with 1 if a goal is
 * missed.
 */
public final class GpuBenchmark {
  private GpuBenchmark() {}

  /**
   * Measures, and prints.
   *
   * @param args how
   * @throws IOException if the figures cannot be written
   */
  public static void main(String[] args) throws IOException {
    Options options = Options.parse(args);
    Report report = new Report();
    try (Machine machine = Machine.open(options)) {
      report.fact("device", Gpu.name(machine.device()) + ", " + Gpu.architecture(machine.device()));
      report.fact("java", System.getProperty("java.vm.version"));
      report.fact("processors", "" + Runtime.getRuntime().availableProcessors());
      report.fact("CUDA_DEVICE_MAX_CONNECTIONS", variable("CUDA_DEVICE_MAX_CONNECTIONS"));
      run(machine, report);
    }
    if (options.json() != null) {
      report.write(options.json());
    }
    System.out.println("goals missed: " + report.missed());
    if (report.missed() > 0) {
      System.exit(1);
    }
  }

  private static String variable(String name) {
    return Optional.ofNullable(System.getenv(name)).orElse("not set");
  }

  private static void run(Machine machine, Report report) {
    if (machine.options().parts().contains("submit")) {
      new SubmitBenchmark(machine, report).run();
    }
    if (machine.options().parts().contains("bind")) {
      new BindBenchmark(machine, report).run();
    }
    if (machine.options().parts().contains("bytes")) {
      new BytesBenchmark(machine, report).run();
    }
    if (machine.options().parts().contains("patterns")) {
      new PatternBenchmark(machine, report).run();
    }
  }
}
