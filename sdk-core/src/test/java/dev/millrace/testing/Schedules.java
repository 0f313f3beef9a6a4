package dev.millrace.testing;

import kotlin.Unit;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.core.randomness.ControlledRandomProvider;
import org.pastalab.fray.core.scheduler.POSScheduler;
import org.pastalab.fray.junit.plain.FrayInTestLauncher;

/**
 * Runs a case again and again, each time in another order of its threads' steps; on the schedule
 * explorer's runtime only. What started threads before is left alone, which Fray's own annotation
 * cannot: it loads every class anew.
 */
public final class Schedules {
  private static final int AT_MOST_SECONDS = 120;

  private Schedules() {}

  /** The first schedule that fails is thrown, with the file that replays it in Fray's report. */
  public static void explore(int schedules, Runnable scenario) {
    FrayInTestLauncher.INSTANCE.launchFray(
        scenario,
        new POSScheduler(),
        new ControlledRandomProvider(),
        schedules,
        AT_MOST_SECONDS,
        false,
        TimelineCoverageType.NONE,
        _ -> Unit.INSTANCE);
  }
}
