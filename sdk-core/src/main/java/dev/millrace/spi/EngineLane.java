package dev.millrace.spi;

/** A slot for one run in flight. Its caller serialises all calls. */
public interface EngineLane extends AutoCloseable {

  /**
   * Enqueues a run on a stream and returns.
   *
   * @param arguments prepared by this lane's program, kept by the caller until the run is done
   * @param stream a live stream of the program's device, or 0
   * @param run told what goes wrong
   */
  void enqueue(PreparedArguments arguments, long stream, InFlightRun run);

  /**
   * Enqueues a run on a stream that is being captured. Called where the program has no reason
   * against it, on a lane that has run before and that nobody else uses until the captured work is
   * given up.
   *
   * @param arguments prepared by this lane's program
   * @param stream a live stream of the program's device, being captured
   * @param run told what goes wrong
   */
  default void enqueueInCapture(PreparedArguments arguments, long stream, InFlightRun run) {
    enqueue(arguments, stream, run);
  }

  /** Gives the lane's memory and handles back. Called when no run of it is in flight. */
  @Override
  void close();
}
