package dev.millrace.stream;

import static java.lang.System.Logger.Level.WARNING;

import dev.millrace.binding.BindingStack;
import dev.millrace.error.DeviceException;
import dev.millrace.error.LibraryMissingException;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.lifetime.OpenChildren;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceFeatures;
import dev.millrace.spi.DeviceProvider;
import dev.millrace.spi.StreamState;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import dev.millrace.trace.TraceEvent.StreamRole;
import dev.millrace.trace.TraceSession;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open device: streams, events and memory come from it. Two devices that were opened with one id
 * are two: each has streams of its own. Any thread.
 */
public final class Device implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.stream");
  private static final Map<DeviceId, AtomicInteger> OPENED = new ConcurrentHashMap<>();

  private static final BindingStack.Pin NO_PIN =
      new BindingStack.Pin() {
        @Override
        public void pin() {}

        @Override
        public void unpin() {}
      };

  private final DeviceDriver driver;
  private final String label;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final OpenChildren children = new OpenChildren();
  private final Map<Long, WeakReference<DeviceStream>> streams = new ConcurrentHashMap<>();
  private final DeviceStream nullStream;

  private Device(DeviceDriver driver) {
    this.driver = driver;
    int count = OPENED.computeIfAbsent(driver.id(), id -> new AtomicInteger()).incrementAndGet();
    this.label = count == 1 ? driver.id().toString() : driver.id() + "#" + count;
    this.nullStream = DeviceStream.ofNull(this);
  }

  /**
   * The devices of all kinds that are there now.
   *
   * @return their ids
   */
  public static List<DeviceId> list() {
    List<DeviceId> ids = new ArrayList<>();
    for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
      ids.addAll(provider.list());
    }
    return ids;
  }

  /**
   * Opens a device.
   *
   * @param id for example {@code host} or {@code gpu:0}
   * @return the device, the caller's to close
   * @throws IllegalArgumentException if the text is no id, or there is no device of that ordinal
   * @throws LibraryMissingException if nothing provides devices of that kind
   */
  public static Device open(String id) {
    DeviceId wanted = DeviceId.parse(id);
    List<String> kinds = new ArrayList<>();
    for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
      if (provider.kind().equals(wanted.kind())) {
        return of(provider.open(wanted.ordinal()));
      }
      kinds.add(provider.kind());
    }
    throw new LibraryMissingException(
        "a provider of devices of kind=" + wanted.kind(),
        List.of(),
        "kinds that are there: "
            + String.join(", ", kinds)
            + "; devices of kind gpu come with the artifact dev.millrace:millrace-gpu");
  }

  /**
   * Opens a device over a driver at hand, for example one that wraps another's.
   *
   * @param driver the driver, which closes with the device
   * @return the device, the caller's to close
   */
  public static Device of(DeviceDriver driver) {
    TraceSession.startFromProperties();
    Device device = new Device(driver);
    StallWatch.add(device);
    return device;
  }

  /**
   * Which device this is.
   *
   * @return its id
   */
  public DeviceId id() {
    return driver.id();
  }

  /**
   * What this device can do.
   *
   * @return its features
   */
  public DeviceFeatures features() {
    return driver.features();
  }

  /**
   * What stands behind this device, for engines and for tests.
   *
   * @return the driver
   */
  public DeviceDriver driver() {
    return driver;
  }

  /**
   * Makes a non-blocking stream.
   *
   * @return the stream, the caller's to close
   */
  public DeviceStream newStream() {
    return newStream(StreamOptions.defaults());
  }

  /**
   * Makes a stream.
   *
   * @param options how it behaves
   * @return the stream, the caller's to close
   */
  public DeviceStream newStream(StreamOptions options) {
    return known(DeviceStream.create(checked("make a stream of"), options, StreamRole.CALLER));
  }

  DeviceStream newOwnStream() {
    return known(
        DeviceStream.create(checked("make a stream of"), StreamOptions.defaults(), StreamRole.OWN));
  }

  private DeviceStream known(DeviceStream stream) {
    streams.put(stream.address("open"), new WeakReference<>(stream));
    return stream;
  }

  /**
   * Takes over a stream that another library made, for example a {@code hipStream_t}. Closing it is
   * its release: it is forgotten and never destroyed. Whether it is alive cannot be asked: its
   * owner keeps it until then.
   *
   * @param stream its address; 0, and what else is a name of it, gives {@link #nullStream()}
   * @param owner kept reachable until the stream is released and its last run is done
   * @return the stream, the caller's to close
   * @throws UnsupportedOperationException if this device shares no streams, as {@code host}
   * @throws IllegalArgumentException if it is a stream of another device
   */
  public DeviceStream adopt(long stream, Object owner) {
    Objects.requireNonNull(owner, "owner");
    long address = checked("adopt a stream on").driver.adoptStream(stream);
    return address == 0 ? nullStream : known(DeviceStream.ofAdopted(this, address, owner));
  }

  @Nullable DeviceStream streamAt(long address) {
    if (address == 0) {
      return nullStream;
    }
    WeakReference<DeviceStream> known = streams.get(address);
    return known == null ? null : known.get();
  }

  /** Keeps a stream alive that a participant goes back to; foreign ones are the application's. */
  BindingStack.Pin pinOf(long address) {
    DeviceStream known = streamAt(address);
    return known == null ? NO_PIN : known.pin();
  }

  void forget(long address, long ticket) {
    streams.remove(address);
    children.remove(ticket);
  }

  /**
   * The device's null stream, which orders with its blocking streams.
   *
   * @return the stream; closing it does nothing
   */
  public DeviceStream nullStream() {
    checked("take the null stream of");
    return nullStream;
  }

  /**
   * Makes an event that was never recorded.
   *
   * @return the event, the caller's to close
   */
  public DeviceEvent newEvent() {
    return new DeviceEvent(checked("make an event of"));
  }

  /**
   * Makes a context with a stream of its own and no participants.
   *
   * @return the context, the caller's to close
   */
  public StreamContext newContext() {
    return new StreamContext(checked("make a context of"));
  }

  /**
   * Allocates a tensor in the memory that this device's programs want. Its content is undefined.
   *
   * @param type its element type
   * @param shape its shape, without unknown dimensions
   * @return the tensor, the caller's to close
   * @throws DeviceException if there is not enough memory, with the sizes
   */
  public Tensor allocate(DataType type, Shape shape) {
    return allocate(type, shape, driver.tensorKind());
  }

  /**
   * Allocates a tensor in a memory of choice, for example {@link MemoryKind#PINNED}, which the host
   * reads and writes in place and a GPU copies from and to at its full speed. Its content is
   * undefined.
   *
   * @param type its element type
   * @param shape its shape, without unknown dimensions
   * @param kind which memory
   * @return the tensor, the caller's to close
   * @throws DeviceException if there is not enough memory, with the sizes
   * @throws UnsupportedOperationException if this device has no such memory
   */
  public Tensor allocate(DataType type, Shape shape, MemoryKind kind) {
    long bytes = byteSize("allocate", type, shape);
    checked("allocate on");
    return Tensor.of(driver.allocate(bytes, kind), type, shape);
  }

  /**
   * Takes over memory that another library allocated on this device.
   *
   * @param address its first byte
   * @param type its element type
   * @param shape its shape, without unknown dimensions
   * @param owner kept reachable until the tensor is closed and the last run that uses it is done
   * @return the tensor, the caller's to close; the memory itself stays its owner's
   * @throws UnsupportedOperationException if this device takes none, as {@code host}, which takes
   *     segments by {@link Tensor#wrap}
   */
  public Tensor adoptMemory(long address, DataType type, Shape shape, Object owner) {
    checked("adopt memory on");
    long bytes = byteSize("adopt memory as", type, shape);
    return Tensor.of(driver.adoptMemory(address, bytes, owner), type, shape);
  }

  private long byteSize(String act, DataType type, Shape shape) {
    Objects.requireNonNull(type, "type");
    if (!shape.isStatic()) {
      throw new IllegalArgumentException(
          "%s %s %s on %s: expected every dimension to be known"
              .formatted(act, type, shape, label));
    }
    return type.byteSize(shape.elements());
  }

  /**
   * Allocates a tensor and fills it.
   *
   * @param values its elements, in row-major order
   * @param shape its shape
   * @return a {@link DataType#FLOAT} tensor, the caller's to close
   */
  public Tensor upload(float[] values, Shape shape) {
    return filled(DataType.FLOAT, shape, tensor -> tensor.write(values));
  }

  /**
   * Allocates a tensor and fills it.
   *
   * @param values its elements, in row-major order
   * @param shape its shape
   * @return a {@link DataType#DOUBLE} tensor, the caller's to close
   */
  public Tensor upload(double[] values, Shape shape) {
    return filled(DataType.DOUBLE, shape, tensor -> tensor.write(values));
  }

  /**
   * Allocates a tensor and fills it.
   *
   * @param values its elements, in row-major order
   * @param shape its shape
   * @return an {@link DataType#INT64} tensor, the caller's to close
   */
  public Tensor upload(long[] values, Shape shape) {
    return filled(DataType.INT64, shape, tensor -> tensor.write(values));
  }

  /**
   * Allocates a tensor and fills it.
   *
   * @param values its elements, in row-major order
   * @param shape its shape
   * @return an {@link DataType#INT32} tensor, the caller's to close
   */
  public Tensor upload(int[] values, Shape shape) {
    return filled(DataType.INT32, shape, tensor -> tensor.write(values));
  }

  /**
   * Allocates a tensor and fills it.
   *
   * @param bytes its elements as they lie in memory
   * @param type its element type
   * @param shape its shape
   * @return the tensor, the caller's to close
   */
  public Tensor upload(MemorySegment bytes, DataType type, Shape shape) {
    return filled(type, shape, tensor -> tensor.write(bytes));
  }

  private Tensor filled(DataType type, Shape shape, Consumer<Tensor> content) {
    Tensor tensor = allocate(type, shape);
    try {
      content.accept(tensor);
      return tensor;
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  /**
   * What each stream and each lane with outstanding work is doing or waiting for, at this moment.
   *
   * @return a line each; empty where nothing is outstanding
   */
  public List<String> describe() {
    List<String> lines = new ArrayList<>();
    driver.describe().forEach(state -> lines.add(line(state)));
    lines.addAll(children.describe());
    return lines;
  }

  private String line(StreamState state) {
    long standingMs = (System.nanoTime() - state.sinceNs()) / 1_000_000;
    return "%s stream=%d %s, for %d ms, queued=%d"
        .formatted(label, state.stream(), state.state(), standingMs, state.queued());
  }

  String label() {
    return label;
  }

  /**
   * For what has to be closed before its device: closing the device closes it, with a warning.
   *
   * @param child what was opened; not kept alive by this
   * @return the ticket for {@link #closed}
   */
  public long opened(AutoCloseable child) {
    return opened(child, List::of);
  }

  /**
   * For what has to be closed before its device, and can say what it waits for.
   *
   * @param child what was opened; not kept alive by this
   * @param description says what it waits for, a line each; must not reach the child
   * @return the ticket for {@link #closed}
   */
  public long opened(AutoCloseable child, Supplier<List<String>> description) {
    checked("open something on");
    return children.add(child, description);
  }

  /**
   * Forgets something that was closed.
   *
   * @param ticket what {@link #opened} gave
   */
  public void closed(long ticket) {
    children.remove(ticket);
  }

  /**
   * Refuses a closed device.
   *
   * @param act what is about to happen, for the message
   * @throws IllegalStateException if the device is closed
   */
  public void checkOpen(String act) {
    if (closed.get()) {
      throw new IllegalStateException(act + " closed device=" + label);
    }
  }

  private Device checked(String act) {
    checkOpen(act);
    return this;
  }

  /**
   * Waits for what is in flight, closes what is still open, last opened first, each with a warning,
   * and gives the device back. It is the one close that waits.
   *
   * @throws IllegalStateException in a host function of the device, which would wait for itself;
   *     the device stays open
   */
  @Override
  public void close() {
    if (closed.get()) {
      return;
    }
    waitForAll(); // a program that was closed gives its lanes back only when its last run is done
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    StallWatch.remove(this);
    List<AutoCloseable> refused = new ArrayList<>();
    for (AutoCloseable child : children.newestFirst()) {
      if (children.isOpen(child)) {
        LOG.log(WARNING, "{0} was open when device={1} closed", child, label);
        if (!tryClose(child)) {
          refused.add(child);
        }
      }
    }
    // A stream is bound by a context that may be older than it: once that is closed, it lets go.
    refused.forEach(Device::tryClose);
    nullStream.closeWithDevice();
    driver.close();
    Trace.streamClosed(new TraceEvent.StreamClosed(nullStream.traceId(), System.nanoTime()));
  }

  private void waitForAll() {
    try {
      driver.synchronize();
    } catch (DeviceException e) {
      LOG.log(WARNING, "close device=" + label, e);
    }
  }

  private static boolean tryClose(AutoCloseable child) {
    try {
      child.close();
      return true;
    } catch (Exception e) {
      LOG.log(WARNING, "close " + child, e);
      return false;
    }
  }

  @Override
  public String toString() {
    return label;
  }
}
