package dev.millrace.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records what the SDK does into a file that the profiler, the Perfetto UI and {@code
 * chrome://tracing} open; {@code docs/trace-format.md} describes it. Any thread.
 *
 * <p>Recording never makes the application wait or fail. Events go through a buffer to a thread of
 * their own; when the buffer is full they are dropped, counted, and the file says so. When the file
 * cannot be written to any longer, recording ends with one warning. A session that is still open
 * when the process ends in order is closed then.
 */
public final class TraceSession implements AutoCloseable {
  private static final String FILE_PROPERTY = "millrace.trace";
  private static final String BUFFER_PROPERTY = "millrace.trace.buffer";
  private static final int DEFAULT_BUFFER = 1 << 18;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final AtomicBoolean PROPERTIES_READ = new AtomicBoolean();
  private static final Object LOCK = new Object();

  private static @Nullable TraceSession open; // guarded by LOCK

  private final Path file;
  private final EventBuffer buffer = new EventBuffer(bufferEvents());
  private final TraceWriter writer;
  private final Thread thread;
  private final Thread hook = new Thread(this::close, "millrace-trace-end");
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean on = true;

  private TraceSession(Path file, OutputStream out) {
    this.file = file;
    this.writer = new TraceWriter(out, buffer);
    Thread starter = Thread.currentThread();
    // Listen first, then look: a stream that opens in between is in both, and written once.
    Trace.install(buffer);
    List<TraceEvent.StreamOpened> streams = Trace.openStreams();
    this.thread =
        Thread.ofPlatform()
            .name("millrace-trace")
            .daemon()
            .unstarted(() -> write(streams, starter));
  }

  /**
   * Starts to record. An existing file is overwritten.
   *
   * @param file where to; its folder must exist
   * @return the session, to be closed
   * @throws IllegalStateException if a session is open already: there is one at a time
   * @throws IOException if the file cannot be opened for writing
   */
  public static TraceSession start(Path file) throws IOException {
    synchronized (LOCK) {
      refuseSecond(file);
      return begin(file, Files.newOutputStream(file));
    }
  }

  /** As {@link #start(Path)}, for tests: the file's name is only for messages. */
  static TraceSession start(Path file, OutputStream out) {
    synchronized (LOCK) {
      refuseSecond(file);
      return begin(file, out);
    }
  }

  private static void refuseSecond(Path file) {
    TraceSession other = open;
    if (other != null) {
      throw new IllegalStateException(
          "starting a trace, file=" + file + ": file=" + other.file + " is being recorded already");
    }
  }

  private static TraceSession begin(Path file, OutputStream out) {
    TraceSession session = new TraceSession(file, out);
    open = session;
    boolean started = false;
    try {
      session.thread.start();
      started = true;
    } finally {
      if (!started) {
        session.detach(); // No thread to be had: say so, and listen no longer.
        open = null;
      }
    }
    session.addHook();
    return session;
  }

  /**
   * Does what the system properties ask for, once in a process: {@code millrace.trace=FILE} starts
   * a session that lasts until the process ends, where {@code %p} stands for the process id. From
   * this call on, the SDK's flight recorder events are there too. A file that cannot be opened is a
   * warning. Called whenever a device is opened.
   */
  public static void startFromProperties() {
    if (PROPERTIES_READ.get() || !PROPERTIES_READ.compareAndSet(false, true)) {
      return;
    }
    FlightRecorderBridge.watch();
    String name = System.getProperty(FILE_PROPERTY, "");
    if (!name.isBlank()) {
      startForProcess(name);
    }
  }

  // The session outlives this call: the shutdown hook closes it.
  @SuppressWarnings("resource")
  private static void startForProcess(String name) {
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      start(Path.of(name.replace("%p", pid)));
    } catch (IOException | InvalidPathException | IllegalStateException e) {
      log().log(Level.WARNING, "not recording: -D" + FILE_PROPERTY + "=" + name + ": " + e);
    }
  }

  /**
   * Asked for when there is something to say: loading a logger takes longer than opening a device.
   */
  private static Logger log() {
    return System.getLogger("dev.millrace.trace");
  }

  private static int bufferEvents() {
    String text = System.getProperty(BUFFER_PROPERTY, Integer.toString(DEFAULT_BUFFER));
    try {
      int events = Integer.parseInt(text);
      if (events > 0) {
        return events;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that makes no sense.
    }
    log()
        .log(
            Level.WARNING,
            "-D{0}={1}: expected a number above 0, using {2,number,#}",
            BUFFER_PROPERTY,
            text,
            DEFAULT_BUFFER);
    return DEFAULT_BUFFER;
  }

  private void write(List<TraceEvent.StreamOpened> streams, Thread starter) {
    try {
      writer.write(streams, starter);
    } catch (IOException | RuntimeException e) {
      log().log(Level.WARNING, "recording ended: writing the trace failed, file=" + file, e);
    } finally {
      synchronized (LOCK) {
        detach();
        open = open == this ? null : open; // The file is closed, in order or not.
      }
    }
  }

  /** Stops listening; what is said from now on is not recorded. */
  private void detach() {
    synchronized (LOCK) {
      if (open == this && on) {
        on = false;
        Trace.install(null);
      }
    }
  }

  /**
   * Whether this session records.
   *
   * @return false once it is closed or its file has failed
   */
  public boolean isOn() {
    return on;
  }

  /**
   * Where it records to.
   *
   * @return the file given at the start
   */
  public Path file() {
    return file;
  }

  /**
   * How many events were dropped so far because the buffer was full.
   *
   * @return 0 when the file has all that happened
   */
  public long dropped() {
    return buffer.dropped().total();
  }

  /**
   * Marks a span of the current thread, in whatever session is open.
   *
   * @param name what the span is
   * @return the span, which ends when it is closed
   */
  public static TraceRange range(String name) {
    return TraceRange.open(Objects.requireNonNull(name, "name"));
  }

  /**
   * Marks one turn of the application's loop on the current thread. Runs that are submitted inside
   * carry its caller and number; iterations nest, and closing one brings back the outer one.
   *
   * @param caller who goes round the loop, for example {@code client 3}
   * @param number which turn
   * @return the span, which ends when it is closed
   */
  public static TraceRange iteration(String caller, long number) {
    return TraceRange.openIteration(Objects.requireNonNull(caller, "caller"), number);
  }

  /**
   * Ends the recording: writes what is in the buffer and closes the file, for which it waits, at
   * most ten seconds. Closing it again does nothing.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    detach();
    writer.stop();
    LockSupport.unpark(thread);
    awaitWriter();
    removeHook();
  }

  private void awaitWriter() {
    long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended && System.nanoTime() - deadline < 0) {
      try {
        ended = thread.join(Duration.ofNanos(deadline - System.nanoTime()));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (!ended) {
      log().log(Level.WARNING, "closing the trace: still being written, file=" + file);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void addHook() {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already: whoever starts a session now has to close it.
      log().log(Level.DEBUG, "trace started while the process ends, file={0}", file);
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log().log(Level.DEBUG, "trace closed while the process ends, file={0}", file);
    }
  }
}
