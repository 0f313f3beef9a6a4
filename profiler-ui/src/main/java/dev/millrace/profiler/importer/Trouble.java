package dev.millrace.profiler.importer;

/**
 * What is wrong with a trace.
 *
 * @param kind what
 * @param count how often
 * @param example where it was seen first, or how
 */
public record Trouble(TroubleKind kind, long count, String example) {
  @Override
  public String toString() {
    return "%s (%d ×): %s; first: %s".formatted(kind, count, kind.sentence(), example);
  }
}
