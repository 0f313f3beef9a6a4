package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.ffi.HipStreams;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads device memory for a thread that waits: through two pinned buffers, of which the
 * device copies one while the host copies the other, on a stream that is used for nothing else. So
 * it waits for nobody's work but its own.
 */
final class HostTransfer {
  private static final int NON_BLOCKING = 1;

  private final int ordinal;
  private final EventPool events;
  private final EventWait wait;
  private final DeviceLoss loss;

  /** Taken before the device is made current: waiting for it may move a virtual thread. */
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable GpuStream stream;
  private final Slot[] slots = {new Slot(), new Slot()};
  private boolean closed;

  /** Waits for an event's latest record. */
  interface EventWait {
    void await(GpuEvent event);
  }

  private static final class Slot {
    @Nullable PinnedBuffer buffer;
    @Nullable GpuEvent copied;
  }

  /** What the device does with one part of a transfer. */
  private interface Part {
    void copy(PinnedBuffer buffer, long offset, long size, GpuStream on);
  }

  HostTransfer(int ordinal, EventPool events, EventWait wait, DeviceLoss loss) {
    this.ordinal = ordinal;
    this.events = events;
    this.wait = wait;
    this.loss = loss;
  }

  /** Copies all of a segment to the device, and returns when it is there. */
  void write(long to, MemorySegment from) {
    long bytes = from.byteSize();
    lock.lock();
    try {
      checkOpen("write");
      long offset = 0;
      for (int i = 0; offset < bytes; i ^= 1) {
        Slot slot = ready(slots[i], bytes);
        PinnedBuffer buffer = bufferOf(slot);
        long size = Math.min(buffer.bytes(), bytes - offset);
        MemorySegment.copy(from, offset, buffer.segment(), 0, size);
        submit(
            slot,
            offset,
            size,
            (pinned, at, length, on) ->
                HipMemory.memcpyAsync(
                    to + at, pinned.address(), length, CopyKind.TO_DEVICE.code, on.address));
        offset += size;
      }
    } finally {
      finishAndUnlock();
    }
  }

  /** Fills a segment from the device, and returns when it is full. */
  void read(long from, MemorySegment to) {
    long bytes = to.byteSize();
    lock.lock();
    try {
      checkOpen("read");
      long submitted = submitRead(slots[0], from, 0, bytes);
      long offset = 0;
      for (int i = 0; offset < bytes; i ^= 1) {
        long next = submitRead(slots[i ^ 1], from, submitted, bytes);
        Slot slot = ready(slots[i], bytes);
        MemorySegment.copy(bufferOf(slot).segment(), 0, to, offset, submitted - offset);
        offset = submitted;
        submitted = next;
      }
    } finally {
      finishAndUnlock();
    }
  }

  private void checkOpen(String act) {
    if (closed) {
      throw new IllegalStateException(act + " memory of closed device=gpu:" + ordinal);
    }
    GpuStream here = HostFunctions.here();
    if (here != null) {
      throw new IllegalStateException(
          act + " device memory in a host function of " + here + ": HIP allows no calls there");
    }
  }

  /** Gives where the part ends. */
  private long submitRead(Slot slot, long from, long offset, long bytes) {
    if (offset == bytes) {
      return offset;
    }
    PinnedBuffer buffer = bufferOf(ready(slot, bytes));
    long size = Math.min(buffer.bytes(), bytes - offset);
    submit(
        slot,
        offset,
        size,
        (pinned, at, length, on) ->
            HipMemory.memcpyAsync(
                pinned.address(), from + at, length, CopyKind.FROM_DEVICE.code, on.address));
    return offset + size;
  }

  /** A slot that no copy uses any more, with a buffer. */
  private Slot ready(Slot slot, long bytes) {
    awaitCopy(slot);
    PinnedBuffer buffer = slot.buffer;
    if (buffer == null || !buffer.isEnoughFor(bytes)) {
      onDevice(() -> replaceBuffer(slot, bytes));
    }
    return slot;
  }

  private static void replaceBuffer(Slot slot, long bytes) {
    PinnedBuffer larger = PinnedBuffer.forCopiesOf(bytes);
    PinnedBuffer smaller = slot.buffer;
    slot.buffer = larger;
    if (smaller != null) {
      smaller.free();
    }
  }

  private static PinnedBuffer bufferOf(Slot slot) {
    PinnedBuffer buffer = slot.buffer;
    if (buffer == null) {
      throw new AssertionError("a slot without a buffer");
    }
    return buffer;
  }

  private void submit(Slot slot, long offset, long size, Part part) {
    GpuEvent event = events.take();
    slot.copied = event;
    onDevice(
        () -> {
          GpuStream on = stream();
          part.copy(bufferOf(slot), offset, size, on);
          recordOrWait(event, on);
        });
  }

  /** The copy is under way: if nobody can say when it is done, it is waited for here. */
  private static void recordOrWait(GpuEvent event, GpuStream on) {
    try {
      event.record(on, 0);
    } catch (DeviceException e) {
      HipStreams.streamSynchronize(on.address);
      throw e;
    }
  }

  private GpuStream stream() {
    GpuStream there = stream;
    if (there == null) {
      there = new GpuStream(HipStreams.streamCreateWithPriority(NON_BLOCKING, 0), true, false);
      stream = there;
    }
    return there;
  }

  private void awaitCopy(Slot slot) {
    GpuEvent event = slot.copied;
    if (event == null) {
      return;
    }
    slot.copied = null;
    try {
      wait.await(event);
    } catch (DeviceException e) {
      waitOtherwise(slot, e);
      throw e;
    } finally {
      if (event.end()) {
        events.takeBack(event);
      }
    }
  }

  /** The device may still use the buffer: if nobody can say when it does not, it is given up. */
  private void waitOtherwise(Slot slot, DeviceException failure) {
    GpuStream on = stream;
    try {
      if (on != null) {
        HipStreams.streamSynchronize(on.address);
      }
    } catch (DeviceException e) {
      slot.buffer = null;
      failure.addSuppressed(e);
    }
  }

  /** Also after a failure nothing of it may be under way: the buffers are used again. */
  private void finishAndUnlock() {
    try {
      awaitCopy(slots[0]);
    } finally {
      try {
        awaitCopy(slots[1]);
      } finally {
        lock.unlock();
      }
    }
  }

  private void onDevice(Runnable calls) {
    loss.check("copy between device and host");
    int former = CurrentDevice.enter(ordinal);
    try {
      calls.run();
    } catch (DeviceException e) {
      throw loss.seen(e);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  /** Gives stream and buffers back; the device is current. */
  void close(Consumer<Runnable> attempt) {
    lock.lock();
    try {
      closed = true;
      giveBack(attempt);
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Consumer<Runnable> attempt) {
    for (Slot slot : slots) {
      PinnedBuffer buffer = slot.buffer;
      if (buffer != null) {
        attempt.accept(buffer::free);
      }
    }
    GpuStream there = stream;
    if (there != null) {
      attempt.accept(() -> HipStreams.streamDestroy(there.address));
    }
  }
}
