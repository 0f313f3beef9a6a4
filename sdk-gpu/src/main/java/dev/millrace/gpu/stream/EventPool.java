package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipEvents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Events of one device and one kind; their native events are made once and used again. */
final class EventPool {
  private final int ordinal;
  private final int flags;
  private final AddressTable<GpuEvent> known;
  private final Consumer<GpuStream> release;
  private final ArrayDeque<GpuEvent> free = new ArrayDeque<>();
  private final List<GpuEvent> made = new ArrayList<>();

  /**
   * Makes an empty pool.
   *
   * @param ordinal the device
   * @param flags bits of {@code hipEvent*}
   * @param known gets each event that is made
   * @param release ends a hold on a stream
   */
  EventPool(int ordinal, int flags, AddressTable<GpuEvent> known, Consumer<GpuStream> release) {
    this.ordinal = ordinal;
    this.flags = flags;
    this.known = known;
    this.release = release;
  }

  GpuEvent take() {
    GpuEvent event = takeFree();
    if (event == null) {
      event = make();
    }
    event.begin();
    return event;
  }

  private synchronized @org.jspecify.annotations.Nullable GpuEvent takeFree() {
    return free.poll();
  }

  private GpuEvent make() {
    int former = CurrentDevice.enter(ordinal);
    long address;
    try {
      address = HipEvents.eventCreateWithFlags(flags);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
    GpuEvent event = new GpuEvent(address, this);
    known.put(address, event);
    synchronized (this) {
      made.add(event);
    }
    return event;
  }

  /** The event was given back and nobody waits for it. */
  synchronized void takeBack(GpuEvent event) {
    free.push(event);
  }

  void release(GpuStream stream) {
    release.accept(stream);
  }

  /** Destroys the native events; nothing of the device is in flight. */
  synchronized void close(Consumer<Runnable> attempt) {
    made.forEach(event -> attempt.accept(() -> HipEvents.eventDestroy(event.address)));
    made.clear();
    free.clear();
  }
}
