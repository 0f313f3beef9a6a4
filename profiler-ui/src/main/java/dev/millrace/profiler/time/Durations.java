package dev.millrace.profiler.time;

import java.util.Locale;

/** How a number of nanoseconds is written for people. */
public final class Durations {
  private static final String[] UNITS = {"ns", "µs", "ms", "s"};

  private Durations() {}

  /** Three significant digits and the largest unit of which there is at least one. */
  public static String text(double ns) {
    int unit = 0;
    double value = ns;
    while (unit < UNITS.length - 1 && Math.abs(value) >= 999.5) {
      value /= 1000;
      unit++;
    }
    return digits(value) + " " + UNITS[unit];
  }

  /** Like {@link #text}, with its sign: for differences. */
  public static String signed(double ns) {
    return (ns >= 0 ? "+" : "") + text(ns);
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
