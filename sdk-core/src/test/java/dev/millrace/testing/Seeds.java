package dev.millrace.testing;

import java.util.SplittableRandom;
import org.junit.jupiter.api.TestInfo;

/**
 * Random numbers that can be had again: the seed is printed, and {@code -Dmillrace.seed=} replays
 * it. A failing case names its own seed, which then is the first case of the replay.
 */
public final class Seeds {
  private static final String PROPERTY = "millrace.seed";

  private final String test;
  private final long seed;

  private Seeds(String test, long seed) {
    this.test = test;
    this.seed = seed;
  }

  /** A case of a property. */
  @FunctionalInterface
  public interface Case {
    void run(SplittableRandom random) throws Exception;
  }

  public static Seeds of(TestInfo info) {
    String test =
        info.getTestClass().orElseThrow().getSimpleName()
            + "."
            + info.getTestMethod().orElseThrow().getName();
    Long given = Long.getLong(PROPERTY);
    // Small numbers, since somebody will type them.
    long seed = given != null ? given : new SplittableRandom().nextLong(1_000_000_000_000L);
    System.out.println(test + " seed=" + seed);
    return new Seeds(test, seed);
  }

  /** The one generator of a test that is a single case. */
  public SplittableRandom random() {
    return new SplittableRandom(seed);
  }

  /** Runs so many cases, each with a generator of its own. */
  public void forEach(int cases, Case property) {
    for (int i = 0; i < cases; i++) {
      long own = seed + i;
      try {
        property.run(new SplittableRandom(own));
      } catch (Exception | AssertionError e) {
        throw new AssertionError(
            test + " fails with -D" + PROPERTY + "=" + own + ": " + e.getMessage(), e);
      }
    }
  }
}
