package dev.millrace.trace;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Which device each stream belongs to, and so where its work is drawn. One thread. */
final class StreamTracks {
  /** Greater than any process id of an operating system we know. */
  private static final long DEVICE_PIDS = 1_000_000_000L;

  /** More streams than this at one time would forget the idle ones' device. */
  private static final int REMEMBERED = 1 << 16;

  private final RowWriter rows;
  private final Track about;
  private final Map<String, Long> pids = new HashMap<>();
  private final Map<Long, StreamHistory> streams = new Recent<>(REMEMBERED);

  StreamTracks(RowWriter rows, Track about) {
    this.rows = rows;
    this.about = about;
  }

  /**
   * The most recently used entries of a map that would otherwise grow for ever.
   *
   * @param <K> its keys
   * @param <V> its values
   */
  static final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private final int limit;

    Recent(int limit) {
      super(16, 0.75f, true);
      this.limit = limit;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > limit;
    }
  }

  /** Names the stream's track; false if the stream is known already. */
  boolean add(TraceEvent.StreamOpened opened) throws IOException {
    StreamHistory known = streams.get(opened.stream());
    if (known != null && known.track().pid() != DEVICE_PIDS) {
      return false;
    }
    Track track = new Track(pidOf(opened.device(), opened.atNs()), opened.stream());
    streams.put(opened.stream(), new StreamHistory(track));
    String role = opened.role().name().toLowerCase(Locale.ROOT);
    rows.meta("thread_name", track, opened.atNs())
        .text("name", "stream " + opened.stream() + " " + role)
        .end();
    rows.meta("thread_sort_index", track, opened.atNs())
        .number("sort_index", opened.stream())
        .end();
    return true;
  }

  /** What is known of a stream, which may never have been opened in this trace. */
  StreamHistory get(long stream, long atNs) throws IOException {
    StreamHistory known = streams.get(stream);
    if (known == null) {
      known = new StreamHistory(new Track(unknownPid(atNs), stream));
      streams.put(stream, known);
    }
    return known;
  }

  private long pidOf(String device, long atNs) throws IOException {
    Long known = pids.get(device);
    if (known != null) {
      return known;
    }
    long pid = DEVICE_PIDS + 1 + pids.keySet().stream().filter(d -> !d.isEmpty()).count();
    name(device, device, pid, atNs);
    rows.meta("millrace.device", about, atNs).text("device", device).number("devicePid", pid).end();
    return pid;
  }

  private long unknownPid(long atNs) throws IOException {
    if (!pids.containsKey("")) {
      name("", "unknown device", DEVICE_PIDS, atNs);
    }
    return DEVICE_PIDS;
  }

  private void name(String device, String shown, long pid, long atNs) throws IOException {
    pids.put(device, pid);
    Track process = new Track(pid, 0);
    rows.meta("process_name", process, atNs).text("name", shown).end();
    rows.meta("process_sort_index", process, atNs).number("sort_index", pid).end();
  }
}
