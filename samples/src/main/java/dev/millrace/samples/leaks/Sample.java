package dev.millrace.samples.leaks;

import dev.millrace.error.DeviceException;
import dev.millrace.stream.Device;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the process holds at one moment.
 *
 * @param residentKib memory of the process, native and heap; the heap's part is constant where the
 *     heap was touched at the start
 * @param heapKib the Java heap after a collection
 * @param threads of the process, Java's own too
 * @param files open file descriptors
 * @param deviceBytes memory that the device has given out
 */
record Sample(long residentKib, long heapKib, long threads, long files, long deviceBytes) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path FILES = Path.of("/proc/self/fd");
  private static final Pattern USED = Pattern.compile(" used=(\\d+) ");

  static Sample take(Device device) throws IOException {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long heap = runtime.totalMemory() - runtime.freeMemory();
    return new Sample(
        status("VmRSS"), heap / 1024, status("Threads"), openFiles(), deviceBytes(device));
  }

  private static long status(String key) throws IOException {
    try (Stream<String> lines = Files.lines(STATUS)) {
      String line = lines.filter(one -> one.startsWith(key + ":")).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", ""));
    }
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      return files.count();
    }
  }

  /** The device says it when it refuses more than there is, and nothing else happens then. */
  static long deviceBytes(Device device) {
    try {
      device.allocate(DataType.INT8, Shape.of(Long.MAX_VALUE / 2)).close();
    } catch (DeviceException refused) {
      Matcher used = USED.matcher(String.valueOf(refused.getMessage()));
      if (used.find()) {
        return Long.parseLong(used.group(1));
      }
      throw refused;
    }
    throw new IllegalStateException("the device allocated more than any machine has");
  }
}
