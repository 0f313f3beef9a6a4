package dev.millrace.binding;

import dev.millrace.handle.StreamHandle;

/**
 * Something that looks at a stream and can be pointed at another: a library handle, for example.
 * Applications may implement it for libraries that Millrace does not know.
 *
 * <p>While a binding is open the participant belongs to the context; it is called on the thread
 * that binds.
 */
public interface StreamBound {

  /**
   * What messages and traces call it.
   *
   * @return a short name, unique in its context
   */
  String name();

  /**
   * Asks the library where the participant is, rather than remembering it.
   *
   * @return the stream at which it looks
   */
  StreamHandle stream();

  /**
   * Whether it has memory that its work uses on whichever stream it looks at, as a BLAS handle has
   * its workspace. Then the stream that it comes to waits for the one that it leaves.
   *
   * @return false leaves these events out
   */
  default boolean hasWorkspace() {
    return true;
  }

  /**
   * This participant, for an application that knows that no work on the streams between which it
   * moves uses its memory at the same time.
   *
   * @return one without a workspace; to be detached as itself
   */
  default StreamBound noWorkspace() {
    return new WithoutWorkspace(this);
  }

  /**
   * Points the participant at a stream.
   *
   * @param stream the stream at which it shall look
   */
  void setStream(StreamHandle stream);
}
