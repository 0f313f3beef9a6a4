package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The streams of one open device: our own, those that others lent, and the null stream. */
final class GpuStreams {
  private static final int NON_BLOCKING = 1;

  /** {@code hipStreamLegacy}: another name of the null stream. */
  private static final long LEGACY = 1;

  private static final long PER_THREAD = 2;

  /** Below this no stream of HIP is: it gives out addresses of objects. */
  private static final long FIRST_ADDRESS = 4096;

  final GpuStream nullStream = new GpuStream(0, false, true);

  private final DeviceId id;
  private final Consumer<GpuStream> lastHold;
  private final AddressTable<GpuStream> known = new AddressTable<>();

  /** Also those that were given back and are not destroyed yet. */
  private final Set<GpuStream> open = ConcurrentHashMap.newKeySet();

  /**
   * Only the null stream.
   *
   * @param id the device
   * @param lastHold is given a stream that nobody holds any more
   */
  GpuStreams(DeviceId id, Consumer<GpuStream> lastHold) {
    this.id = id;
    this.lastHold = lastHold;
    open.add(nullStream);
  }

  GpuStream get(long handle) {
    if (handle == 0) {
      return nullStream;
    }
    GpuStream stream = known.get(handle);
    if (stream == null) {
      throw unknown(handle);
    }
    return stream;
  }

  private static IllegalStateException unknown(long handle) {
    return new IllegalStateException(
        "use stream=0x" + Long.toHexString(handle) + ": it was closed or never made");
  }

  Collection<GpuStream> open() {
    return open;
  }

  /** Makes a stream; the device is current. */
  GpuStream create(StreamOptions options) {
    long[] mask = options.computeUnits();
    long address = mask.length == 0 ? ordinary(options) : masked(options, mask);
    return add(new GpuStream(address, true, options.isBlocking()));
  }

  private static long ordinary(StreamOptions options) {
    int flags = options.isBlocking() ? 0 : NON_BLOCKING;
    return HipStreams.streamCreateWithPriority(flags, options.priority());
  }

  /** HIP makes streams with a mask in one way only. */
  private long masked(StreamOptions options, long[] mask) {
    if (!options.isBlocking() || options.priority() != 0) {
      throw new UnsupportedOperationException(
          "make a stream on some compute units of device="
              + id
              + " blocking="
              + options.isBlocking()
              + " priority="
              + options.priority()
              + ": HIP makes these streams blocking and of priority 0 only; add withBlocking()");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment words = arena.allocateFrom(ValueLayout.JAVA_LONG, mask);
      return HipStreams.extStreamCreateWithCUMask(2 * mask.length, words.address());
    }
  }

  private GpuStream add(GpuStream stream) {
    known.put(stream.address, stream);
    open.add(stream);
    return stream;
  }

  /** Takes a stream over that another library made; gives the address that stands for it. */
  synchronized long adopt(long address) {
    if (address == 0 || address == LEGACY) {
      return 0;
    }
    checkAddress(address);
    GpuStream known = this.known.get(address);
    if (known == null) {
      known = add(new GpuStream(address, false, isBlocking(address)));
    } else if (known.owned) {
      throw new IllegalArgumentException(
          "adopt " + known + " on device=" + id + ": it was made here; use its DeviceStream");
    }
    known.adoptions++;
    return address;
  }

  private void checkAddress(long address) {
    if (address == PER_THREAD) {
      throw new IllegalArgumentException(
          "adopt stream=2 on device="
              + id
              + ": it is hipStreamPerThread, which is another stream on each thread");
    }
    if (address > 0 && address < FIRST_ADDRESS) {
      throw new IllegalArgumentException(
          "adopt stream=" + address + " on device=" + id + ": expected a hipStream_t");
    }
  }

  private boolean isBlocking(long address) {
    int ordinal = HipStreams.streamGetDevice(address);
    if (ordinal != id.ordinal()) {
      throw new IllegalArgumentException(
          "adopt stream=0x"
              + Long.toHexString(address)
              + " of device="
              + new DeviceId(id.kind(), ordinal)
              + ": expected a stream of "
              + id);
    }
    return (HipStreams.streamGetFlags(address) & NON_BLOCKING) == 0;
  }

  /** Ends one adoption; null while another one goes on. */
  synchronized @Nullable GpuStream release(long address) {
    if (address == 0) {
      return null;
    }
    GpuStream stream = get(address);
    if (--stream.adoptions > 0) {
      return null;
    }
    return remove(address);
  }

  /** From now on nobody finds it any more. */
  GpuStream remove(long address) {
    GpuStream stream = known.remove(address);
    if (stream == null) {
      throw unknown(address);
    }
    return stream;
  }

  /** It is destroyed, or somebody else's again. */
  void gone(GpuStream stream) {
    open.remove(stream);
  }

  /** Whether all of a stream is done; the null stream has also what blocking streams have to do. */
  boolean isIdle(GpuStream stream) {
    if (!isDone(stream)) {
      return false;
    }
    return stream != nullStream
        || open.stream().filter(one -> one.blocking && one != nullStream).allMatch(this::isDone);
  }

  /** A stream may be destroyed on another thread at the same time. */
  private boolean isDone(GpuStream stream) {
    if (!stream.holds.retain()) {
      return true;
    }
    try {
      return HipStreams.streamQuery(stream.address);
    } finally {
      letGo(stream);
    }
  }

  /** Ends a hold. */
  void letGo(GpuStream stream) {
    if (stream.holds.release()) {
      lastHold.accept(stream);
    }
  }
}
