package dev.millrace.spi;

/** A run that was handed to an engine and is not done yet. */
public interface InFlightRun {

  /**
   * The run's id.
   *
   * @return the id under which the trace knows it
   */
  long id();

  /**
   * Says that the run's work went wrong, before the stream goes on to later work.
   *
   * @param failure what went wrong; the first one counts
   */
  void fail(Throwable failure);
}
