package dev.millrace.profiler.launch;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * How busy the machine is with other work, which makes numbers measured beside it worthless.
 *
 * @param average threads that ran or wanted to in the last minute; negative where it is not known
 * @param cores how many can run
 */
record MachineLoad(double average, int cores) {
  private static final double BUSY_SHARE = 0.5;

  static MachineLoad now() {
    return new MachineLoad(
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
  }

  boolean isBusy() {
    return average > BUSY_SHARE * cores;
  }

  String warning() {
    return String.format(
        Locale.ROOT,
        "The machine was busy with other work before the first round (load average %.1f on %d"
            + " cores): repeat this on a quiet one.",
        average,
        cores);
  }
}
