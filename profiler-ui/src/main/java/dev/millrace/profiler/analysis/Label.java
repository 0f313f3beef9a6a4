package dev.millrace.profiler.analysis;

/**
 * What a stretch of a response was spent on. The stretches of one response have no gaps and no
 * overlaps.
 */
public enum Label {
  /** The caller's work on the caller's own stream. */
  WORK_HERE("work here", false),
  /** The caller's work on another stream, for example a program's own one. */
  WORK_ELSEWHERE("work elsewhere", false),
  /** Another caller's work in the way, its gaps too. */
  OTHERS("others", true),
  /** The caller's own earlier iterations: it submitted ahead, which is no loss. */
  OWN_EARLIER("own earlier", false),
  /** From the end of what an event stands for to the begin of what waited for it. */
  HOP("hop", true),
  /** From the submission, or the end of the operation before, to the begin. */
  LAUNCH("launch", true),
  /** The host waited for the device although the work was done. */
  HOST_SYNC("host sync", true),
  /** The host had not submitted yet, for any other reason. */
  HOST_LATE("host late", true),
  /** The trace cannot say. */
  UNKNOWN("unknown", false);

  private final String text;
  private final boolean stall;

  Label(String text, boolean stall) {
    this.text = text;
    this.stall = stall;
  }

  /** Whether a run loses this time. Work on another stream is never a stall. */
  public boolean isStall() {
    return stall;
  }

  /** Whether the caller's own work of this iteration ran. */
  public boolean isWork() {
    return this == WORK_HERE || this == WORK_ELSEWHERE;
  }

  @Override
  public String toString() {
    return text;
  }
}
