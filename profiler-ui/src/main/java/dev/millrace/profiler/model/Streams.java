package dev.millrace.profiler.model;

import java.util.HashMap;
import java.util.Map;

/** The streams of a trace. Other tables name them by their row. */
public final class Streams extends Table {

  /** What a stream is to a run. */
  public enum Role {
    CALLER,
    OWN,
    NULL,
    /** The trace does not say. */
    UNKNOWN
  }

  /** Stands for no stream. */
  public static final int NONE = -1;

  private final StringPool strings;
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final LongColumn id = longs();
  private final IntColumn device = ints();
  private final LongColumn address = longs();
  private final IntColumn blocking = ints();
  private final EnumColumn<Role> role = words(Role.values());
  private final LongColumn openedNs = longs();
  private final LongColumn closedNs = longs();

  Streams(StringPool strings) {
    this.strings = strings;
  }

  /** The row of the stream with this id; one that was not seen before gets a row. */
  int number(long streamId) {
    if (streamId == 0) {
      return NONE;
    }
    Integer known = numbers.get(streamId);
    return known != null ? known : addUnknown(streamId);
  }

  private int addUnknown(long streamId) {
    int row = newRow();
    numbers.put(streamId, row);
    id.add(streamId);
    device.add(0);
    address.add(0);
    blocking.add(0);
    role.add(Role.UNKNOWN);
    openedNs.add(TraceModel.UNKNOWN_TIME);
    closedNs.add(TraceModel.UNKNOWN_TIME);
    return row;
  }

  void open(int row, String deviceName, long nativeAddress, boolean blocks, Role what, long atNs) {
    device.set(row, strings.number(deviceName));
    address.set(row, nativeAddress);
    blocking.set(row, blocks ? 1 : 0);
    role.set(row, what);
    openedNs.set(row, atNs);
  }

  void close(int row, long atNs) {
    closedNs.set(row, atNs);
  }

  public long id(int row) {
    return id.get(row);
  }

  public String device(int row) {
    return strings.string(device.get(row));
  }

  /** The address that the native library knows it by; 0 for a null stream. */
  public long address(int row) {
    return address.get(row);
  }

  /** Whether it orders with the device's null stream. */
  public boolean isBlocking(int row) {
    return blocking.get(row) != 0;
  }

  public Role role(int row) {
    return role.get(row);
  }

  public long openedNs(int row) {
    return openedNs.get(row);
  }

  public long closedNs(int row) {
    return closedNs.get(row);
  }
}
