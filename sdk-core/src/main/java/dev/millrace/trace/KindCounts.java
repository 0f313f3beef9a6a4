package dev.millrace.trace;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A counter for each kind of event. Any thread. */
final class KindCounts {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** The name of an event's kind, as it stands in the file. */
  static String nameOf(TraceEvent event) {
    return event.getClass().getSimpleName();
  }

  /** All that there are. */
  static List<String> names() {
    return Arrays.stream(TraceEvent.class.getPermittedSubclasses())
        .map(Class::getSimpleName)
        .sorted()
        .toList();
  }

  void add(TraceEvent event) {
    counts.computeIfAbsent(nameOf(event), _ -> new LongAdder()).increment();
  }

  long total() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** What was counted, by name; kinds without any are absent. */
  Map<String, Long> byName() {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((kind, count) -> named.put(kind, count.sum()));
    named.values().removeIf(count -> count == 0);
    return named;
  }
}
