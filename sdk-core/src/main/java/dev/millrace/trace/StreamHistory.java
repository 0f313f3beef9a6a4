package dev.millrace.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one stream did lately and what it waits for, as far as arrows need it. One thread. */
final class StreamHistory {
  /**
   * How much work is looked back upon. An arrow is lost, never wrong, when a stream ends more than
   * this between a record and the end of the work that waited for it.
   */
  static final int DEPTH = 64;

  private final Track track;
  private final Deque<TraceEvent.DeviceWork> works = new ArrayDeque<>(1);
  private final List<TraceEvent.EventWaited> waits = new ArrayList<>(0);

  StreamHistory(Track track) {
    this.track = track;
  }

  Track track() {
    return track;
  }

  void add(TraceEvent.DeviceWork work) {
    if (works.size() == DEPTH) {
      works.removeFirst();
    }
    works.addLast(work);
  }

  void add(TraceEvent.EventWaited wait) {
    waits.add(wait);
  }

  /** Takes out the waits that stand before this work: it is the first that they released. */
  List<TraceEvent.EventWaited> takeWaitsBefore(TraceEvent.DeviceWork work) {
    if (waits.isEmpty()) {
      return List.of();
    }
    List<TraceEvent.EventWaited> taken =
        waits.stream().filter(wait -> wait.index() < work.index()).toList();
    waits.removeAll(taken);
    return taken;
  }

  /** The last work that was submitted before a place in this stream, or null. */
  TraceEvent.@Nullable DeviceWork lastBefore(long index) {
    Iterator<TraceEvent.DeviceWork> latestFirst = works.descendingIterator();
    while (latestFirst.hasNext()) {
      TraceEvent.DeviceWork work = latestFirst.next();
      if (work.index() < index) {
        return work;
      }
    }
    return null;
  }

  /** The first work that was submitted after a place in this stream, or null. */
  TraceEvent.@Nullable DeviceWork firstAfter(long index) {
    for (TraceEvent.DeviceWork work : works) {
      if (work.index() > index) {
        return work;
      }
    }
    return null;
  }
}
