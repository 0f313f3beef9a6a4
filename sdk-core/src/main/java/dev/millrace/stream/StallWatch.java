package dev.millrace.stream;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Says what streams and lanes wait for while they wait. With {@code -Dmillrace.stall=5s} a warning
 * lists everything that stands still as soon as one stream has stood for so long; while a flight
 * recording runs the same is an event a second, which {@code jcmd PID JFR.view
 * dev.millrace.StreamState} shows.
 */
final class StallWatch {
  private static final System.Logger LOG = System.getLogger("dev.millrace.stream");
  private static final String PROPERTY = "millrace.stall";
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
  private static final Set<Device> OPEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  static {
    if (FlightRecorder.isAvailable()) {
      FlightRecorder.addPeriodicEvent(StreamStateEvent.class, StallWatch::commitStates);
    }
    long patienceNs = patience(System.getProperty(PROPERTY));
    if (patienceNs > 0) {
      Thread.ofPlatform().daemon().name("millrace-stall").start(() -> watchFor(patienceNs));
    }
  }

  private StallWatch() {}

  static void add(Device device) {
    OPEN.add(device);
  }

  static void remove(Device device) {
    OPEN.remove(device);
  }

  private static List<Device> devices() {
    synchronized (OPEN) {
      return List.copyOf(OPEN);
    }
  }

  /** Nanoseconds; 0 where nothing is to be watched. */
  static long patience(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      LOG.log(Level.WARNING, "-D{0}={1} is ignored: expected 500ms, 5s or 2m", PROPERTY, text);
      return 0;
    }
    long unitNs =
        switch (matcher.group(2)) {
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          default -> 60_000_000_000L;
        };
    return Long.parseLong(matcher.group(1)) * unitNs;
  }

  private static void watchFor(long patienceNs) {
    Set<String> reported = new HashSet<>();
    while (true) {
      try {
        Thread.sleep(Math.max(1, patienceNs / 4_000_000));
      } catch (InterruptedException e) {
        return;
      }
      report(patienceNs, reported);
    }
  }

  /** Warns once of each stall. */
  private static void report(long patienceNs, Set<String> reported) {
    Set<String> now = new HashSet<>();
    for (Device device : devices()) {
      long nowNs = System.nanoTime();
      for (var state : device.driver().describe()) {
        if (nowNs - state.sinceNs() > patienceNs) {
          now.add(device.label() + state.stream() + "@" + state.sinceNs());
        }
      }
    }
    if (!reported.containsAll(now)) {
      LOG.log(Level.WARNING, "a stream stands still:\n{0}", String.join("\n", dump()));
    }
    reported.clear();
    reported.addAll(now);
  }

  /** A line for each stream and each lane with outstanding work, of all open devices. */
  static List<String> dump() {
    List<String> lines = new ArrayList<>();
    devices().forEach(device -> lines.addAll(device.describe()));
    return lines;
  }

  private static void commitStates() {
    for (Device device : devices()) {
      for (var state : device.driver().describe()) {
        StreamStateEvent event = new StreamStateEvent();
        event.set(device.label(), state);
        event.commit();
      }
    }
  }
}
