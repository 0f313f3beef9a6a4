package dev.millrace.host;

import java.util.List;

/**
 * One call of a random program. Streams, events and nodes are numbers; stream 0 is the null one.
 */
sealed interface StreamOp {

  /** Submits a host function, which is a node. */
  record Function(int stream, int node) implements StreamOp {}

  /** Submits a function that writes, a copy, and a function that reads what was copied. */
  record CopyBetween(int stream, int writer, int reader) implements StreamOp {}

  /** Claims the stream if that may be, submits functions, and runs them here if it was claimed. */
  record Claimed(int stream, List<Integer> nodes) implements StreamOp {}

  /** Records an event. */
  record RecordEvent(int stream, int event) implements StreamOp {}

  /** Makes a stream wait for the latest record. */
  record Wait(int stream, int event) implements StreamOp {}

  /** Asks for an action when the latest record is done; the action is a node. */
  record WhenDone(int event, int node) implements StreamOp {}

  /** Waits for a stream, and takes its failures. */
  record SynchronizeStream(int stream) implements StreamOp {}

  /** Waits for the latest record. */
  record SynchronizeEvent(int event) implements StreamOp {}

  /** Asks whether a stream is idle. */
  record QueryStream(int stream) implements StreamOp {}

  /** Asks whether the latest record is done. */
  record QueryEvent(int event) implements StreamOp {}

  /** Destroys a stream; a new one of its kind takes its number. */
  record ReplaceStream(int stream) implements StreamOp {}

  /** Destroys an event; a new one takes its number. */
  record ReplaceEvent(int event) implements StreamOp {}
}
