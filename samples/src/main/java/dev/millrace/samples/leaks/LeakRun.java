package dev.millrace.samples.leaks;

import dev.millrace.lifetime.LeakWatch;
import dev.millrace.stream.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Does things very often and looks whether the process grows. Each of them has a JVM of its own, so
 * that memory that one gave back does not hide what another one loses; its heap has one size and is
 * touched at the start, so that resident memory grows by native memory alone.
 *
 * <p>{@code LeakRun [WHAT[=TIMES]…]}: all of {@link Endurance} unless told otherwise. Exits with 1
 * if something grew.
 */
public final class LeakRun {
  private static final int SAMPLES = 40;
  private static final int PRINT_EACH = 4;

  private static final List<String> JVM =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UseSerialGC",
          "-Xms128m",
          "-Xmx128m",
          "-XX:+AlwaysPreTouch",
          "-Dmillrace.leaks.child=true");

  /** What may not grow, and how much counts as growth over the second half of the samples. */
  private record Quantity(String name, ToLongFunction<Sample> of, double tolerance) {
    boolean isFlat(List<Sample> samples) {
      double growth = Trend.growth(samples.stream().mapToLong(of).toArray());
      boolean flat = growth <= tolerance;
      System.out.printf(
          Locale.ROOT,
          "%s %s: %+.1f over the second half, tolerated %s%n",
          flat ? "flat" : "GREW",
          name,
          growth,
          tolerance);
      return flat;
    }
  }

  private static final List<Quantity> QUANTITIES =
      List.of(
          new Quantity("resident KiB", Sample::residentKib, 2_048),
          new Quantity("heap KiB", Sample::heapKib, 256),
          new Quantity("threads", Sample::threads, 0.5),
          new Quantity("files", Sample::files, 0.5),
          new Quantity("device bytes", Sample::deviceBytes, 0.5));

  private LeakRun() {}

  /**
   * Runs, and prints.
   *
   * @param args names of {@link Endurance}, each with {@code =TIMES} for another number
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> wanted =
        args.length == 0
            ? Arrays.stream(Endurance.values()).map(Endurance::name).toList()
            : List.of(args);
    boolean flat = true;
    for (String one : wanted) {
      flat &= Boolean.getBoolean("millrace.leaks.child") ? run(one) : inItsOwnJvm(one);
    }
    if (!flat) {
      System.exit(1);
    }
  }

  private static boolean inItsOwnJvm(String one) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LeakRun.class.getName(), one));
    ProcessBuilder child = new ProcessBuilder(command).inheritIO();
    // One arena: what the C library keeps for each thread that ever allocated is not a leak.
    child.environment().put("MALLOC_ARENA_MAX", "1");
    return child.start().waitFor() == 0;
  }

  private static boolean run(String wanted) throws IOException {
    String[] parts = wanted.split("=", 2);
    Endurance one = Endurance.valueOf(parts[0].toUpperCase(Locale.ROOT));
    return run(one, parts.length == 1 ? one.times() : Integer.parseInt(parts[1]));
  }

  private static boolean run(Endurance one, int times) throws IOException {
    List<Sample> samples = new ArrayList<>();
    long began = System.nanoTime();
    Sample after;
    try (Device device = Device.open("host")) {
      try (Use use = one.on(device)) {
        for (int turn = 0; turn < times; turn++) {
          use.once(turn);
          if ((turn + 1) % (times / SAMPLES) == 0) {
            samples.add(Sample.take(device));
          }
        }
      }
      after = Sample.take(device);
    }
    long seconds = (System.nanoTime() - began) / 1_000_000_000;
    System.out.printf("%n%s: %d times, %d s%n", one, times, seconds);
    print(times, samples, after);
    return judge(samples, after);
  }

  private static void print(int times, List<Sample> samples, Sample after) {
    System.out.printf(
        "%10s %14s %10s %8s %6s %13s%n",
        "times", "resident KiB", "heap KiB", "threads", "files", "device bytes");
    for (int i = PRINT_EACH - 1; i < samples.size(); i += PRINT_EACH) {
      print(String.valueOf((i + 1) * (times / SAMPLES)), samples.get(i));
    }
    print("closed", after);
  }

  private static void print(String when, Sample sample) {
    System.out.printf(
        "%10s %14d %10d %8d %6d %13d%n",
        when,
        sample.residentKib(),
        sample.heapKib(),
        sample.threads(),
        sample.files(),
        sample.deviceBytes());
  }

  private static boolean judge(List<Sample> samples, Sample after) {
    boolean flat = true;
    for (Quantity quantity : QUANTITIES) {
      flat &= quantity.isFlat(samples);
    }
    Map<String, Long> leaks = LeakWatch.leaks();
    boolean tidy = leaks.isEmpty() && after.deviceBytes() == 0;
    System.out.println((tidy ? "tidy" : "LEFT") + " reported leaks: " + leaks);
    return flat && tidy;
  }
}
