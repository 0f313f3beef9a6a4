package dev.millrace.profiler.analysis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Nanoseconds by label. */
public final class Parts {
  private final Map<Label, Long> ns = new EnumMap<>(Label.class);

  private Parts() {}

  /** Parts from numbers; a label that is not named has none. */
  public static Parts of(Map<Label, Long> ns) {
    Parts parts = new Parts();
    parts.ns.putAll(ns);
    return parts;
  }

  static Parts of(List<PathSegment> path) {
    Parts parts = new Parts();
    for (PathSegment segment : path) {
      parts.ns.merge(segment.label(), segment.span().lengthNs(), Long::sum);
    }
    return parts;
  }

  public long ns(Label label) {
    return ns.getOrDefault(label, 0L);
  }

  /** All parts together: the response. */
  public long totalNs() {
    return sum(label -> true);
  }

  /** The parts that a run loses. */
  public long stallNs() {
    return sum(Label::isStall);
  }

  private long sum(Predicate<Label> wanted) {
    return ns.entrySet().stream()
        .filter(it -> wanted.test(it.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  public String toString() {
    return ns.entrySet().stream()
        .map(it -> it.getKey() + " " + it.getValue())
        .collect(Collectors.joining(", "));
  }
}
