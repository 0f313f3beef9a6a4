package dev.millrace.gpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the native library had given out at a moment: lost devices of other tests leave things that
 * nobody can give back.
 *
 * @param streams how many
 * @param events how many
 * @param bytes of memory
 */
public record Live(long streams, long events, long bytes) {

  /** What is live now. */
  public static Live now() {
    return new Live(HipOnCpu.live("streams"), HipOnCpu.live("events"), HipOnCpu.live("bytes"));
  }

  /** No more is live than then. */
  public void assertNothingIsLeft() {
    assertThat(now()).as("streams, events and bytes that are live").isEqualTo(this);
  }
}
