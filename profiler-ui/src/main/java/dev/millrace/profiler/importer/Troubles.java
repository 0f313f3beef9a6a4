package dev.millrace.profiler.importer;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts what is wrong with one file. */
final class Troubles {
  private final Map<TroubleKind, Trouble> found = new EnumMap<>(TroubleKind.class);

  void add(TroubleKind kind, String example) {
    add(kind, 1, example);
  }

  void add(TroubleKind kind, long count, String example) {
    if (count > 0) {
      found.merge(
          kind,
          new Trouble(kind, count, example),
          (old, more) -> new Trouble(kind, old.count() + more.count(), old.example()));
    }
  }

  /** The most severe kind first. */
  List<Trouble> list() {
    return found.values().stream()
        .sorted((a, b) -> b.kind().severity().compareTo(a.kind().severity()))
        .toList();
  }
}
