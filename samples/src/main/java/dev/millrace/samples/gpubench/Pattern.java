package dev.millrace.samples.gpubench;

import dev.millrace.program.RunMode;

/** How a program's run is joined to its caller's stream. */
enum Pattern {
  /** On the caller's stream, each caller with a lane of the program. */
  EXTERNAL("external-each", 0, true, RunMode.EXTERNAL),
  /** On the caller's stream, all callers with one lane. */
  EXTERNAL_ONE_LANE("external-one", 0, false, RunMode.EXTERNAL),
  /** On the one stream of the program, joined to the caller's by events. */
  FORK_JOIN("forkjoin-one", 1, false, RunMode.FORK_JOIN),
  /** The same with a stream for each caller. */
  FORK_JOIN_EACH("forkjoin-each", 1, true, RunMode.FORK_JOIN),
  /** On the one stream of the program, the host waiting before and after. */
  HOST_SYNC("hostsync", 2, false, RunMode.EXTERNAL);

  private final String text;
  private final int shape;
  private final boolean laneEach;
  private final RunMode mode;

  Pattern(String text, int shape, boolean laneEach, RunMode mode) {
    this.text = text;
    this.shape = shape;
    this.laneEach = laneEach;
    this.mode = mode;
  }

  /** As floor.h numbers it. */
  int shape() {
    return shape;
  }

  int lanes(int callers) {
    return laneEach ? callers : 1;
  }

  RunMode mode() {
    return mode;
  }

  @Override
  public String toString() {
    return text;
  }
}
