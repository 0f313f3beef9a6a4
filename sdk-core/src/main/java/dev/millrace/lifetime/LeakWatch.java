package dev.millrace.lifetime;

import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Frees what an owner forgot to close, and says so once. With {@code -Dmillrace.leaks=site} it also
 * says where the owner was made, which costs a stack trace an owner.
 *
 * <p>An owner's {@code close} keeps the owner reachable ({@code Reference.reachabilityFence}) until
 * {@link #close()} has returned: otherwise it may be collected, and reported, on the way in.
 */
public final class LeakWatch {
  private static final System.Logger LOG = System.getLogger("dev.millrace.lifetime");
  private static final Cleaner CLEANER = Cleaner.create(LeakWatch::thread);
  private static final boolean SITES = "site".equals(System.getProperty("millrace.leaks"));
  private static final Map<String, LongAdder> LEAKS = new ConcurrentHashMap<>();

  private final Cleaner.Cleanable cleanable;
  private final State state;

  private LeakWatch(Object owner, State state) {
    this.state = state;
    this.cleanable = CLEANER.register(owner, state);
  }

  /**
   * Watches an owner.
   *
   * @param owner what should be closed
   * @param type the owner's kind, for the count and the message
   * @param free gives back what the owner holds, without waiting; runs once, on the thread that
   *     closes or, for a leak, on the watch's own; must not reach the owner
   * @return the watch, kept by the owner
   */
  public static LeakWatch on(Object owner, String type, Runnable free) {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(free, "free");
    return new LeakWatch(owner, new State(type, free));
  }

  /** Frees what the owner holds, unless that was done before. */
  public void close() {
    state.closedByOwner = true;
    cleanable.clean();
  }

  /**
   * How many owners were never closed, since the start of the process.
   *
   * @return the number of leaks seen so far, by kind of owner
   */
  public static Map<String, Long> leaks() {
    return LEAKS.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().sum()));
  }

  private static Thread thread(Runnable work) {
    Thread thread =
        Thread.ofPlatform()
            .name("millrace-leak-watch")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(work);
    // It lives as long as the process, and would keep the first caller's class loader with it.
    thread.setContextClassLoader(null);
    return thread;
  }

  private static final class State implements Runnable {
    private final String type;
    private final Runnable free;
    private final @Nullable Throwable site;
    private volatile boolean closedByOwner;

    State(String type, Runnable free) {
      this.type = type;
      this.free = free;
      this.site = SITES ? new Throwable(type + " was made here") : null;
    }

    @Override
    public void run() {
      if (closedByOwner) {
        free.run();
      } else {
        report();
        freeLeaked();
      }
    }

    private void report() {
      LEAKS.computeIfAbsent(type, _ -> new LongAdder()).increment();
      String hint =
          site == null ? " (run with -Dmillrace.leaks=site to see where it was made)" : "";
      LOG.log(System.Logger.Level.WARNING, "a " + type + " was never closed" + hint, site);
    }

    // The cleaner drops what a cleaning action throws, and nobody would ever hear of it.
    private void freeLeaked() {
      try {
        free.run();
      } catch (RuntimeException e) {
        LOG.log(
            System.Logger.Level.WARNING, "a " + type + " that was never closed: free failed", e);
      }
    }
  }
}
