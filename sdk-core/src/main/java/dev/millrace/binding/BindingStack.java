package dev.millrace.binding;

import dev.millrace.handle.StreamHandle;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The open bindings of one context, innermost last, and its participants. Used by {@code
 * StreamContext}; by one thread at a time, and while a binding is open by the thread that opened
 * it.
 */
public final class BindingStack {

  /** Keeps one stream from being destroyed; counted. */
  public interface Pin {

    /**
     * The stream is looked at once more.
     *
     * @throws IllegalStateException if it is closed
     */
    void pin();

    /** One look at the stream ends. */
    void unpin();
  }

  /** Finds the pin of a stream to which a participant goes back. */
  @FunctionalInterface
  public interface Pins {

    /**
     * The pin of a stream.
     *
     * @param stream its address
     * @return its pin; one that does nothing for a stream that is not known
     */
    Pin of(long stream);
  }

  /**
   * Where a participant goes back to, kept alive until it is there.
   *
   * @param ordered whether the streams between which it moves are joined by events
   */
  private record Saved(Participant participant, long stream, Pin pin, boolean ordered) {}

  /** Whether a stream is being captured, where that has to be known: it costs a native call. */
  private enum Capturing {
    YES,
    NO,
    UNKNOWN
  }

  /** One open binding. Frames are used again: binding allocates nothing. */
  private static final class Frame {
    long stream;
    long serial;
    @Nullable Pin pin;
    @Nullable List<Saved> moved;

    void add(Saved one) {
      List<Saved> list = moved;
      if (list == null) {
        list = new ArrayList<>();
        moved = list;
      }
      list.add(one);
    }
  }

  private final DeviceDriver driver;
  private final long ownStream;
  private final Pins pins;
  private final List<Participant> participants = new ArrayList<>();
  private Frame[] frames = frames(new Frame[0], 4);
  private int depth;
  private long lastSerial;

  /** The thread that has a binding open, or is about to. */
  private @Nullable Thread owner;

  /** The device that the thread's calls went to before the outermost binding. */
  private int former;

  private boolean madeCurrent;

  /** Orders the streams between which a participant moves; 0 until there is one. */
  private long order;

  /**
   * Makes a stack with nothing bound.
   *
   * @param driver the device
   * @param ownStream the stream that counts while nothing is bound
   * @param pins keeps the streams alive to which participants go back
   */
  public BindingStack(DeviceDriver driver, long ownStream, Pins pins) {
    this.driver = driver;
    this.ownStream = ownStream;
    this.pins = pins;
  }

  private static Frame[] frames(Frame[] made, int length) {
    Frame[] all = Arrays.copyOf(made, length);
    Arrays.setAll(all, i -> i < made.length ? made[i] : new Frame());
    return all;
  }

  /**
   * The stream at which the context looks.
   *
   * @return the innermost bound stream's address, else the own stream's
   */
  public long current() {
    return depth == 0 ? ownStream : frames[depth - 1].stream;
  }

  /**
   * Whether a binding is open.
   *
   * @return false where the own stream counts
   */
  public boolean isBound() {
    return depth > 0;
  }

  /**
   * Refuses a thread that is not the one that opened the bindings. Where that one has ended, any
   * other may close what it left open.
   *
   * @param act what the thread is about to do
   * @throws IllegalStateException naming both threads
   */
  public void checkThread(String act) {
    Thread expected = owner;
    if (expected != null && expected != Thread.currentThread() && expected.isAlive()) {
      throw new IllegalStateException(
          act
              + " on thread="
              + Thread.currentThread().getName()
              + ": the context is bound by thread="
              + expected.getName());
    }
  }

  /**
   * Keeps other threads out until {@link #leave} finds nothing bound: also while participants are
   * on their way. Two threads that come within the same few instructions are not told apart; an
   * atomic step here would cost a third of all that a binding costs.
   */
  private void enter(String act) {
    checkThread(act);
    owner = Thread.currentThread();
  }

  private void leave() {
    if (depth == 0) {
      owner = null;
    }
  }

  /**
   * Adds a participant. If something is bound it is pointed there now; when the last binding closes
   * it goes back to where it was.
   *
   * @param bound the participant
   * @param atHome whether it was made for this context, so that it goes to the own stream instead
   */
  public void attach(StreamBound bound, boolean atHome) {
    enter("attach participant=" + bound.name());
    try {
      add(bound, atHome);
    } finally {
      leave();
    }
  }

  private void add(StreamBound bound, boolean atHome) {
    Participant participant = new Participant(bound, driver.id());
    long before = participant.stream();
    if (order == 0) {
      order = driver.createJoinEvent();
    }
    long target = isBound() ? current() : atHome ? ownStream : before;
    boolean ordered = before == target || isOrdered(target, Capturing.UNKNOWN);
    Saved origin = saved(participant, before, ordered);
    try {
      pointNew(origin, target);
      participants.add(participant);
      saveForOpenBindings(participant, atHome ? ownStream : before, ordered);
    } finally {
      origin.pin.unpin();
    }
  }

  private void pointNew(Saved origin, long target) {
    if (origin.stream == target) {
      return;
    }
    try {
      move(origin.participant, origin.stream, target, origin.ordered);
    } catch (RuntimeException | Error e) {
      try {
        putBack(origin, target);
      } catch (RuntimeException | Error e2) {
        suppress(e, e2);
      }
      throw e;
    }
  }

  private void saveForOpenBindings(Participant participant, long home, boolean ordered) {
    long outer = home;
    for (int i = 0; i < depth; i++) {
      Frame frame = frames[i];
      if (frame.stream != outer) {
        frame.add(saved(participant, outer, ordered));
      }
      outer = frame.stream;
    }
  }

  private Saved saved(Participant participant, long stream, boolean ordered) {
    Pin pin = pins.of(stream);
    pin.pin();
    return new Saved(participant, stream, pin, ordered);
  }

  /**
   * Removes a participant, leaving it where it is.
   *
   * @param bound a participant that was attached
   * @throws IllegalStateException while something is bound
   * @throws IllegalArgumentException if it was not attached
   */
  public void detach(StreamBound bound) {
    enter("detach participant=" + bound.name());
    try {
      remove(bound);
    } finally {
      leave();
    }
  }

  private void remove(StreamBound bound) {
    if (isBound()) {
      throw new IllegalStateException(
          "detach participant=" + bound.name() + " while bound to " + handle(current()));
    }
    if (!participants.removeIf(participant -> participant.is(bound))) {
      throw new IllegalArgumentException("detach participant=" + bound.name() + ": not attached");
    }
  }

  /**
   * The participants.
   *
   * @return in the order in which they were attached
   */
  public List<StreamBound> participants() {
    return participants.stream().map(Participant::bound).toList();
  }

  /**
   * Points all participants at a stream. Where that is being captured the participants' streams are
   * not joined with it: an event of ours would become part of the capture, or break it.
   *
   * @param stream its address; its device was checked
   * @param pin keeps it alive while it is bound
   * @return the open binding
   */
  public StreamBinding bind(long stream, Pin pin) {
    open(stream, pin, Capturing.UNKNOWN, !Thread.currentThread().isVirtual());
    return new StreamBinding(this, depth - 1, lastSerial);
  }

  /**
   * As {@link #bind}, where it is known whether the stream is being captured, and that the thread
   * stays on its thread of the operating system until {@link #leaveInnermost}. Allocates nothing
   * while no participant has to move.
   *
   * @param stream its address; its device was checked
   * @param pin keeps it alive while it is bound
   * @param capturing whether the stream is being captured
   */
  public void enter(long stream, Pin pin, boolean capturing) {
    open(stream, pin, capturing ? Capturing.YES : Capturing.NO, true);
  }

  /**
   * Closes the innermost binding.
   *
   * @param failure keeps what fails here as suppressed; null if there was none
   */
  public void leaveInnermost(@Nullable Throwable failure) {
    checkThread("close a binding");
    @Nullable Throwable first;
    try {
      first = pop(failure);
    } finally {
      leave();
    }
    if (first != null && failure == null) {
      throw asUnchecked(first);
    }
  }

  /** The current device belongs to a thread of the operating system: a virtual one has none. */
  private void open(long stream, Pin pin, Capturing capturing, boolean staysOnThread) {
    enter("bind");
    try {
      pin.pin();
      push(stream, pin, pointOrUnpin(stream, pin, capturing, staysOnThread));
    } catch (RuntimeException | Error e) {
      leave();
      throw e;
    }
  }

  private @Nullable List<Saved> pointOrUnpin(
      long stream, Pin pin, Capturing capturing, boolean staysOnThread) {
    try {
      if (depth == 0 && staysOnThread) {
        former = driver.makeCurrent();
        madeCurrent = true;
      }
      participants.forEach(Participant::checkWhole);
      return participants.isEmpty() ? null : point(stream, capturing);
    } catch (RuntimeException | Error e) {
      restoreCurrent(e);
      pin.unpin();
      throw e;
    }
  }

  /** Nothing is bound any more: the thread's calls go where they went. */
  private @Nullable Throwable restoreCurrent(@Nullable Throwable failure) {
    if (depth > 0 || !madeCurrent) {
      return failure;
    }
    madeCurrent = false;
    try {
      driver.restoreCurrent(former);
      return failure;
    } catch (RuntimeException | Error e) {
      return failure == null ? e : suppress(failure, e);
    }
  }

  private void push(long stream, Pin pin, @Nullable List<Saved> moved) {
    if (Trace.isOn()) {
      traced("context", current(), stream, false);
    }
    if (depth == frames.length) {
      frames = frames(frames, depth * 2);
    }
    Frame frame = frames[depth];
    frame.stream = stream;
    frame.serial = ++lastSerial;
    frame.pin = pin;
    frame.moved = moved;
    depth++;
  }

  private @Nullable List<Saved> point(long stream, Capturing capturing) {
    List<Saved> moved = new ArrayList<>(participants.size());
    boolean ordered = true;
    try {
      for (Participant participant : participants) {
        long before = participant.stream();
        if (before != stream) {
          if (moved.isEmpty()) {
            ordered = isOrdered(stream, capturing);
          }
          // Saved first: if the move itself fails half way, going back is still right.
          moved.add(saved(participant, before, ordered));
          move(participant, before, stream, ordered);
        }
      }
      return moved.isEmpty() ? null : moved;
    } catch (RuntimeException | Error e) {
      restore(moved, stream, e);
      throw e;
    }
  }

  /** An event of ours in a capture would become part of it, or break it. */
  private boolean isOrdered(long stream, Capturing capturing) {
    return switch (capturing) {
      case YES -> false;
      case NO -> true;
      case UNKNOWN -> !driver.isCapturing(stream);
    };
  }

  /** A handle has one workspace: the new stream waits for what the old one does with it. */
  private void move(Participant participant, long from, long to, boolean ordered) {
    if (ordered && participant.hasWorkspace()) {
      order(from, to);
    }
    participant.pointAt(to);
    if (Trace.isOn()) {
      traced(participant.name(), from, to, false);
    }
  }

  /** A wait keeps the record that is the latest when it is made: one event serves all moves. */
  private void order(long earlier, long later) {
    driver.recordEvent(order, earlier);
    driver.waitEvent(later, order);
  }

  StreamHandle streamOf(int frame, long serial) {
    checkThread("ask a binding");
    if (!isOpen(frame, serial)) {
      throw new IllegalStateException("stream() of a closed binding");
    }
    return handle(frames[frame].stream);
  }

  private boolean isOpen(int frame, long serial) {
    return frame < depth && frames[frame].serial == serial;
  }

  void close(int frame, long serial) {
    if (!isOpen(frame, serial)) {
      return;
    }
    checkThread("close a binding");
    @Nullable Throwable failure = null;
    try {
      while (depth > frame) {
        failure = pop(failure);
      }
    } finally {
      leave();
    }
    if (failure != null) {
      throw asUnchecked(failure);
    }
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  /** Closes all open bindings, and forgets the participants. */
  public void close() {
    enter("close a context");
    try {
      if (depth > 0) {
        close(0, frames[0].serial);
      }
    } finally {
      forgetParticipants();
    }
  }

  private void forgetParticipants() {
    try {
      participants.clear();
      if (order != 0) {
        driver.destroyEvent(order);
        order = 0;
      }
    } finally {
      leave();
    }
  }

  private @Nullable Throwable pop(@Nullable Throwable failure) {
    Frame frame = frames[--depth];
    List<Saved> moved = frame.moved;
    @Nullable Throwable first = failure;
    if (moved != null) {
      frame.moved = null;
      first = restore(moved, frame.stream, failure);
    }
    Objects.requireNonNull(frame.pin).unpin();
    frame.pin = null;
    first = restoreCurrent(first);
    if (Trace.isOn()) {
      traced("context", frame.stream, current(), true);
    }
    return first;
  }

  /** Puts participants back, last first, all of them whatever fails; gives the first failure. */
  private @Nullable Throwable restore(List<Saved> moved, long from, @Nullable Throwable failure) {
    @Nullable Throwable first = failure;
    for (Saved one : moved.reversed()) {
      try {
        putBack(one, from);
      } catch (RuntimeException | Error e) {
        first = first == null ? e : suppress(first, e);
      } finally {
        one.pin.unpin();
      }
    }
    return first;
  }

  private void putBack(Saved one, long from) {
    @Nullable Throwable unordered = null;
    try {
      if (one.ordered && one.participant.hasWorkspace()) {
        order(from, one.stream);
      }
    } catch (RuntimeException | Error e) {
      unordered = e; // the participant goes home all the same
    }
    try {
      one.participant.pointAt(one.stream);
    } catch (RuntimeException | Error e) {
      one.participant.breaks(e);
      if (unordered == null) {
        throw e;
      }
      throw asUnchecked(suppress(unordered, e));
    }
    if (Trace.isOn()) {
      traced(one.participant.name(), from, one.stream, true);
    }
    if (unordered != null) {
      throw asUnchecked(unordered);
    }
  }

  /** A library may throw one and the same exception again, which cannot be its own suppressed. */
  private static Throwable suppress(Throwable first, Throwable later) {
    if (!first.equals(later)) {
      first.addSuppressed(later);
    }
    return first;
  }

  private StreamHandle handle(long stream) {
    return new StreamHandle(driver.id(), stream);
  }

  private void traced(String participant, long from, long to, boolean restore) {
    Trace.emit(
        new TraceEvent.StreamBound(
            participant,
            driver.traceId(from),
            driver.traceId(to),
            restore,
            Thread.currentThread().threadId(),
            System.nanoTime(),
            Trace.currentRun()));
  }
}
