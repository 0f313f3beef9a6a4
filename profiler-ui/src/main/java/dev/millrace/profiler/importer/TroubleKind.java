package dev.millrace.profiler.importer;

/** What can be wrong with a trace that can still be read. */
public enum TroubleKind {
  CUT(
      Severity.DATA_LOSS,
      "the file has no footer: the recording was cut short, and what came after is missing"),
  EVENTS_DROPPED(
      Severity.DATA_LOSS,
      "the recorder dropped events because its buffer was full: record with a larger"
          + " -Dmillrace.trace.buffer"),
  ROWS_MISSING(Severity.DATA_LOSS, "the footer counts more rows than the file has"),
  MALFORMED_ROW(
      Severity.WARNING, "a row lacks a field or has one of another type; it was left out"),
  NEGATIVE_DURATION(
      Severity.WARNING, "a row ends before it begins; it was kept with a length of nothing"),
  NEWER_VERSION(
      Severity.WARNING,
      "the file was written in a newer version of the format, and may be misread"),
  UNOPENED_STREAM(
      Severity.NOTE, "the opening of a stream is not in the trace, so its role is not known"),
  UNKNOWN_KIND(Severity.NOTE, "a row is of a kind that this version does not know; it was skipped");

  /** How much an answer that rests on the trace suffers. */
  public enum Severity {
    /** Nothing that the analysis needs. */
    NOTE,
    /** Single rows cannot be trusted. */
    WARNING,
    /** Things happened that the trace does not show. */
    DATA_LOSS
  }

  private final Severity severity;
  private final String sentence;

  TroubleKind(Severity severity, String sentence) {
    this.severity = severity;
    this.sentence = sentence;
  }

  public Severity severity() {
    return severity;
  }

  public String sentence() {
    return sentence;
  }
}
