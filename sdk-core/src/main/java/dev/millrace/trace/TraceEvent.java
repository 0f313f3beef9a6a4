package dev.millrace.trace;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened. All times are nanoseconds of {@link System#nanoTime()}; ids of streams,
 * events and runs are unique in the process and never reused; 0 stands for none.
 */
public sealed interface TraceEvent {

  /** What a stream is to a run. */
  enum StreamRole {
    /** Made by or adopted from the application. */
    CALLER,
    /** Made by a program or a context for itself. */
    OWN,
    /** A device's null stream. */
    NULL
  }

  /** What a device did. */
  enum WorkKind {
    /** An engine's program. */
    PROGRAM,
    /** One node of a program, from the engine's own profile. */
    NODE,
    /** A copy between two memories. */
    COPY,
    /** A function of the application that ran in stream order. */
    HOST_FUNCTION
  }

  /** What became of a wait at the moment it was asked for. */
  enum Disposition {
    /** The stream will be held until the record is done. */
    ENQUEUED,
    /** The record was done already: nothing was enqueued. */
    COMPLETE,
    /** Record and wait are of one stream: its order satisfies the wait. */
    SAME_STREAM,
    /** The event had never been recorded: nothing was enqueued. */
    NEVER_RECORDED
  }

  /** Where a run's work was enqueued. */
  enum Mode {
    /** On the caller's stream. */
    EXTERNAL,
    /** On the program's own stream, joined to the caller's by events. */
    FORK_JOIN
  }

  /** How a host thread waited. */
  enum HostWait {
    /** It was parked until the work was done. */
    BLOCKED,
    /** It ran the work itself. */
    INLINE
  }

  /**
   * A stream exists from now on. To be said with {@link Trace#streamOpened}, also while nobody
   * listens.
   *
   * @param stream its id
   * @param device its device, as in {@code host:0}
   * @param address its native handle, 0 for a null stream
   * @param blocking whether the null stream orders with it
   * @param role what it is to a run
   * @param atNs when
   */
  record StreamOpened(
      long stream, String device, long address, boolean blocking, StreamRole role, long atNs)
      implements TraceEvent {}

  /**
   * A stream is gone. To be said with {@link Trace#streamClosed}, also while nobody listens.
   *
   * @param stream its id
   * @param atNs when
   */
  record StreamClosed(long stream, long atNs) implements TraceEvent {}

  /**
   * A call of the device's runtime on a host thread.
   *
   * @param name the function
   * @param thread the calling thread's id
   * @param beginNs when it was called
   * @param endNs when it returned
   * @param correlation the call's number, which what it submitted carries too
   * @param result the runtime's status, 0 is success
   * @param stream what it was about, or 0
   * @param event what it was about, or 0
   * @param generation which record of the event, or 0
   * @param bytes how many it moves, or 0
   * @param run on whose behalf, or 0
   */
  record ApiCall(
      String name,
      long thread,
      long beginNs,
      long endNs,
      long correlation,
      int result,
      long stream,
      long event,
      long generation,
      long bytes,
      long run)
      implements TraceEvent {}

  /**
   * Work that a stream did. A stream says its work in the order in which it did it.
   *
   * @param kind what it was
   * @param name the program, node, copy or function
   * @param correlation the submitting call's number
   * @param stream which stream
   * @param index its place in the stream's submission order; a node has its program's
   * @param beginNs when it began to execute
   * @param endNs when it ended
   * @param run on whose behalf, or 0
   */
  record DeviceWork(
      WorkKind kind,
      String name,
      long correlation,
      long stream,
      long index,
      long beginNs,
      long endNs,
      long run)
      implements TraceEvent {}

  /**
   * An event was recorded on a stream.
   *
   * @param event its id
   * @param generation counts the records of that event, from 1
   * @param stream where
   * @param index the record's place in the stream's submission order
   * @param correlation the submitting call's number
   * @param atNs when it was submitted
   * @param run on whose behalf, or 0
   */
  record EventRecorded(
      long event, long generation, long stream, long index, long correlation, long atNs, long run)
      implements TraceEvent {}

  /**
   * The stream reached that record.
   *
   * @param event the event's id
   * @param generation which record
   * @param atNs when
   */
  record EventCompleted(long event, long generation, long atNs) implements TraceEvent {}

  /**
   * A stream was told to wait.
   *
   * @param stream the one that waits
   * @param index the wait's place in its submission order
   * @param event what for
   * @param generation the record that was the latest at the call, 0 if there was none
   * @param sourceStream where that record is, or 0
   * @param sourceIndex its place there, or 0
   * @param disposition what became of the wait
   * @param correlation the call's number
   * @param atNs when it was asked for
   * @param run on whose behalf, or 0
   */
  record EventWaited(
      long stream,
      long index,
      long event,
      long generation,
      long sourceStream,
      long sourceIndex,
      Disposition disposition,
      long correlation,
      long atNs,
      long run)
      implements TraceEvent {}

  /**
   * A host thread waited for a stream, or for an event where {@code event} is not 0.
   *
   * @param thread the waiting thread's id
   * @param beginNs when it began to wait
   * @param endNs when it went on
   * @param stream waited for
   * @param event waited for, or 0
   * @param generation which record of it, or 0
   * @param how parked, or at work itself
   * @param run on whose behalf, or 0
   */
  record HostSynced(
      long thread,
      long beginNs,
      long endNs,
      long stream,
      long event,
      long generation,
      HostWait how,
      long run)
      implements TraceEvent {}

  /**
   * A run was submitted.
   *
   * @param run its id
   * @param caller on whose behalf: {@link Trace#currentCaller}
   * @param iteration in which turn: {@link Trace#currentIteration}
   * @param mode where its work was enqueued
   * @param program what runs
   * @param lane the lane it got
   * @param homeStream the caller's stream
   * @param ownStream the program's own stream, or 0
   * @param thread the submitting thread's id
   * @param beginNs when the submission began
   * @param endNs when it was over
   */
  record RunSubmitted(
      long run,
      String caller,
      long iteration,
      Mode mode,
      String program,
      int lane,
      long homeStream,
      long ownStream,
      long thread,
      long beginNs,
      long endNs)
      implements TraceEvent {}

  /**
   * All work of a run is done.
   *
   * @param run its id
   * @param atNs when
   * @param failure what went wrong, or null when it succeeded
   */
  record RunCompleted(long run, long atNs, @Nullable String failure) implements TraceEvent {}

  /**
   * A participant was pointed from one stream to another; the context itself is one.
   *
   * @param participant its name
   * @param from the stream it pointed to
   * @param to the stream it points to now
   * @param restore whether it was put back where it was
   * @param thread the binding thread's id
   * @param atNs when
   * @param run on whose behalf, or 0
   */
  record StreamBound(
      String participant, long from, long to, boolean restore, long thread, long atNs, long run)
      implements TraceEvent {}

  /**
   * A run was ordered behind another because its lane was taken.
   *
   * @param run its id
   * @param lane the lane
   * @param waitedForRun the run that had it
   * @param atNs when
   */
  record LaneWaited(long run, int lane, long waitedForRun, long atNs) implements TraceEvent {}

  /**
   * A named span of a host thread, for example an iteration of the application.
   *
   * @param name its name
   * @param caller on whose behalf
   * @param iteration in which turn, or 0
   * @param thread the thread's id
   * @param beginNs when it began
   * @param endNs when it ended
   */
  record Range(String name, String caller, long iteration, long thread, long beginNs, long endNs)
      implements TraceEvent {}
}
