package dev.millrace.tensor;

import dev.millrace.handle.DeviceId;
import dev.millrace.lifetime.LeakWatch;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Typed memory of a device with a shape, row-major. A tensor in host or pinned memory shows it as a
 * {@link MemorySegment}; one in device memory only as an address.
 *
 * <p>A tensor is its creator's to close. Closing returns at once: runs in flight hold the memory
 * until they are done, new uses are refused. Type, device and a shape that is known can be asked
 * after that, too. A segment or address that was taken from a tensor is good until it is closed,
 * and keeps nothing alive.
 *
 * <p>A <em>pending</em> tensor is an output whose shape the run decides. Until that run is done it
 * has no memory to show, but later work on the same stream may take it as an argument.
 *
 * <p>Every copy from or to a Java array or segment refuses a wrong type or length with {@link
 * IllegalArgumentException}; memory that is read-only and lengths that no array has with {@link
 * UnsupportedOperationException}; a tensor that is closed, pending or failed with {@link
 * IllegalStateException}.
 *
 * <p>Any thread. Nothing orders a read or write by the host with work that a stream is doing: wait
 * for the run first.
 */
public final class Tensor implements AutoCloseable {
  private static final VarHandle CLOSED;

  static {
    try {
      CLOSED = MethodHandles.lookup().findVarHandle(Tensor.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final DataType type;
  private final DeviceId device;
  private final TensorContent content;
  // Null where the memory is the application's, and closing gives nothing back.
  private final @Nullable LeakWatch watch;
  private volatile boolean closed;

  private Tensor(DataType type, DeviceId device, TensorContent content, boolean watched) {
    this.type = type;
    this.device = device;
    this.content = content;
    this.watch = watched ? LeakWatch.on(this, "Tensor", content::release) : null;
  }

  /**
   * Makes a tensor of memory, which may be larger than it needs. Takes over the caller's one hold
   * on the memory, unless it throws.
   *
   * @param memory where the elements are
   * @param type what they are
   * @param shape how many, every dimension known
   * @return the tensor, the caller's to close
   * @throws IllegalArgumentException if a dimension is unknown, or the memory is too small
   */
  public static Tensor of(DeviceMemory memory, DataType type, Shape shape) {
    Objects.requireNonNull(memory, "memory");
    TensorContent content = new TensorContent(ready(memory, type, shape));
    return new Tensor(type, memory.device(), content, !memory.isWrapped());
  }

  /**
   * Makes a tensor whose shape and memory a run will decide; for programs.
   *
   * @param type its element type
   * @param device the device whose memory it will have
   * @return the tensor, the caller's to close
   */
  public static Tensor pending(DataType type, DeviceId device) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(device, "device");
    return new Tensor(type, device, new TensorContent(TensorContent.Without.PENDING), true);
  }

  /**
   * Makes a tensor of native memory that the application owns, without a copy. Every device takes
   * it. The memory stays the application's: keep it until the last run that uses the tensor is
   * done, since whether its arena was closed is seen only when a run is submitted.
   *
   * @param segment native memory that every thread may touch, of exactly the size that type and
   *     shape need, aligned to an element; 64 bytes suit vector units best
   * @param type its element type
   * @param shape its shape, every dimension known
   * @return the tensor
   * @throws IllegalArgumentException if the segment lies on the Java heap, belongs to one thread,
   *     or has another size or alignment
   */
  public static Tensor wrap(MemorySegment segment, DataType type, Shape shape) {
    Objects.requireNonNull(segment, "segment");
    return of(WrappedMemory.of(segment, type, shape), type, shape);
  }

  /**
   * Makes a tensor of a direct buffer, from its position to its limit, without a copy. The element
   * type is the signed one of the buffer's: a {@code ByteBuffer} becomes {@link DataType#INT8}.
   *
   * @param direct a direct buffer in native byte order, which the tensor keeps reachable
   * @param shape its shape, every dimension known
   * @return the tensor
   * @throws IllegalArgumentException if the buffer lies on the Java heap, or has another byte
   *     order, size or alignment
   */
  public static Tensor wrap(Buffer direct, Shape shape) {
    Objects.requireNonNull(direct, "direct");
    return wrap(direct, WrappedMemory.typeOf(direct), shape);
  }

  /**
   * Makes a tensor of a direct buffer, from its position to its limit, without a copy.
   *
   * @param direct a direct buffer in native byte order, which the tensor keeps reachable
   * @param type the element type of the memory, whatever the kind of the buffer
   * @param shape its shape, every dimension known
   * @return the tensor
   * @throws IllegalArgumentException if the buffer lies on the Java heap, or has another byte
   *     order, size or alignment
   */
  public static Tensor wrap(Buffer direct, DataType type, Shape shape) {
    Objects.requireNonNull(direct, "direct");
    Objects.requireNonNull(type, "type");
    return wrap(WrappedMemory.segmentOf(direct, type), type, shape);
  }

  /**
   * Makes a second tensor of the same memory, with a life of its own.
   *
   * @param newShape another shape with as many elements
   * @return the view, the caller's to close
   * @throws IllegalArgumentException if the shape has another number of elements
   * @throws IllegalStateException if this tensor is closed, pending or failed
   */
  public Tensor view(Shape newShape) {
    Objects.requireNonNull(newShape, "newShape");
    TensorContent.Ready mine = open("view");
    if (!newShape.isStatic() || newShape.elements() != mine.shape().elements()) {
      throw new IllegalArgumentException(
          "view tensor="
              + this
              + " as shape="
              + newShape
              + ": expected a shape of elements="
              + mine.shape().elements());
    }
    mine.memory().retain();
    return of(mine.memory(), type, newShape);
  }

  /**
   * Gives a pending tensor its memory; for engines. Takes over the caller's one hold on the memory,
   * unless it throws, and lets go of it at once if nobody holds the tensor any more.
   *
   * @param memory where the elements are
   * @param shape the shape, every dimension known
   * @throws IllegalArgumentException if the memory is another device's or too small
   * @throws IllegalStateException if the tensor has memory, or was marked failed
   */
  public void resolve(DeviceMemory memory, Shape shape) {
    Objects.requireNonNull(memory, "memory");
    if (!memory.isWrapped() && !memory.device().equals(device)) {
      throw new IllegalArgumentException("resolve tensor=" + this + " with " + memory);
    }
    if (!content.resolve(ready(memory, type, shape))) {
      throw new IllegalStateException("resolve tensor=" + this + ": it is not pending");
    }
  }

  /**
   * Says that the run which should have resolved this tensor failed; for engines. Nothing happens
   * if the tensor is not pending.
   *
   * @param reason what later uses report, one sentence
   */
  public void fail(String reason) {
    content.fail(Objects.requireNonNull(reason, "reason"));
  }

  /**
   * Whether a run has yet to decide shape and memory.
   *
   * @return false once the run is done or has failed
   */
  public boolean isPending() {
    return content.state() == TensorContent.Without.PENDING;
  }

  /**
   * Its element type.
   *
   * @return the type
   */
  public DataType type() {
    return type;
  }

  /**
   * The device that owns its memory.
   *
   * @return the device's id; {@code host:0} for wrapped memory, which every device takes
   */
  public DeviceId device() {
    return device;
  }

  /**
   * Its shape.
   *
   * @return the shape, every dimension known
   * @throws IllegalStateException while the tensor is pending, and after its run failed
   */
  public Shape shape() {
    return known("ask the shape of").shape();
  }

  /**
   * The size of its elements.
   *
   * @return bytes
   * @throws IllegalStateException while the tensor is pending, and after its run failed
   */
  public long byteSize() {
    return known("ask the size of").byteSize();
  }

  /**
   * Its memory; for drivers and engines.
   *
   * @return the memory, which the caller must not release
   * @throws IllegalStateException if the tensor is closed, pending or failed
   */
  public DeviceMemory memory() {
    return open("use").memory();
  }

  /**
   * Where its elements are.
   *
   * @return the address of the first byte in the device's address space, good until {@link #close}
   * @throws IllegalStateException if the tensor is closed, pending or failed
   */
  public long address() {
    return open("ask the address of").memory().address();
  }

  /**
   * Its elements as native memory, without a copy.
   *
   * @return a segment of {@link #byteSize()} bytes, good until {@link #close}
   * @throws UnsupportedOperationException if the elements are in device memory
   * @throws IllegalStateException if the tensor is closed, pending or failed
   */
  public MemorySegment segment() {
    TensorContent.Ready mine = open("ask the segment of");
    if (!mine.memory().kind().isHostReadable()) {
      throw new UnsupportedOperationException(
          "ask the segment of tensor="
              + this
              + ": it is in device memory, and the first read through a MemorySegment would end"
              + " the JVM; copy the tensor on a stream to one in host memory");
    }
    return HostAccess.slice(mine);
  }

  /**
   * Whether its memory must not be written.
   *
   * @return true for a tensor that wraps a read-only segment or buffer
   * @throws IllegalStateException if the tensor is closed, pending or failed
   */
  public boolean isReadOnly() {
    DeviceMemory memory = memory();
    return memory.kind().isHostReadable() && memory.segment().isReadOnly();
  }

  /**
   * Copies values in, rounded to the nearest for the 16-bit types, ties to even.
   *
   * @param values one an element, for {@code FLOAT}, {@code FLOAT16} and {@code BFLOAT16}
   */
  public void write(float[] values) {
    HostAccess.write(this, Carrier.FLOATS, values.length, to -> ArrayCopy.write(values, type, to));
  }

  /**
   * Copies values in.
   *
   * @param values one an element, for {@code DOUBLE}
   */
  public void write(double[] values) {
    HostAccess.write(this, Carrier.DOUBLES, values.length, to -> ArrayCopy.write(values, to));
  }

  /**
   * Copies values in.
   *
   * @param values one an element, for {@code INT64} and {@code UINT64}
   */
  public void write(long[] values) {
    HostAccess.write(this, Carrier.LONGS, values.length, to -> ArrayCopy.write(values, to));
  }

  /**
   * Copies values in.
   *
   * @param values one an element, for {@code INT32} and {@code UINT32}
   */
  public void write(int[] values) {
    HostAccess.write(this, Carrier.INTS, values.length, to -> ArrayCopy.write(values, to));
  }

  /**
   * Copies values in; for the 16-bit floating-point types, their bits.
   *
   * @param values one an element, for {@code INT16}, {@code UINT16}, {@code FLOAT16} and {@code
   *     BFLOAT16}
   */
  public void write(short[] values) {
    HostAccess.write(this, Carrier.SHORTS, values.length, to -> ArrayCopy.write(values, to));
  }

  /**
   * Copies values in; for floating-point types, their bits.
   *
   * @param values one an element, for the 8-bit types but {@code BOOL}; the packed bytes of those
   *     with fewer bits
   */
  public void write(byte[] values) {
    HostAccess.write(this, Carrier.BYTES, values.length, to -> ArrayCopy.write(values, to));
  }

  /**
   * Copies values in.
   *
   * @param values one an element, for {@code BOOL}
   */
  public void write(boolean[] values) {
    HostAccess.write(this, Carrier.BOOLEANS, values.length, to -> ArrayCopy.write(values, to));
  }

  /**
   * Copies bytes in, whatever the element type.
   *
   * @param bytes as many as {@link #byteSize()}, on the heap or native
   */
  public void write(MemorySegment bytes) {
    Objects.requireNonNull(bytes, "bytes");
    HostAccess.write(this, bytes);
  }

  /**
   * Copies all bytes out, whatever the element type.
   *
   * @param bytes as many as {@link #byteSize()}, on the heap or native
   */
  public void read(MemorySegment bytes) {
    Objects.requireNonNull(bytes, "bytes");
    HostAccess.read(this, bytes);
  }

  /**
   * Copies the values out of a {@code FLOAT}, {@code FLOAT16} or {@code BFLOAT16} tensor.
   *
   * @return one an element; exact, though a signalling NaN may come out quiet
   */
  public float[] readFloats() {
    float[] values = new float[HostAccess.lengthToRead(this, Carrier.FLOATS)];
    HostAccess.read(this, from -> ArrayCopy.read(from, type, values));
    return values;
  }

  /**
   * Copies the values out of a {@code DOUBLE} tensor.
   *
   * @return one an element
   */
  public double[] readDoubles() {
    double[] values = new double[HostAccess.lengthToRead(this, Carrier.DOUBLES)];
    HostAccess.read(this, from -> ArrayCopy.read(from, values));
    return values;
  }

  /**
   * Copies the values out of an {@code INT64} or {@code UINT64} tensor.
   *
   * @return one an element
   */
  public long[] readLongs() {
    long[] values = new long[HostAccess.lengthToRead(this, Carrier.LONGS)];
    HostAccess.read(this, from -> ArrayCopy.read(from, values));
    return values;
  }

  /**
   * Copies the values out of an {@code INT32} or {@code UINT32} tensor.
   *
   * @return one an element
   */
  public int[] readInts() {
    int[] values = new int[HostAccess.lengthToRead(this, Carrier.INTS)];
    HostAccess.read(this, from -> ArrayCopy.read(from, values));
    return values;
  }

  /**
   * Copies the values out of an {@code INT16} or {@code UINT16} tensor, or the bits out of a {@code
   * FLOAT16} or {@code BFLOAT16} one.
   *
   * @return one an element
   */
  public short[] readShorts() {
    short[] values = new short[HostAccess.lengthToRead(this, Carrier.SHORTS)];
    HostAccess.read(this, from -> ArrayCopy.read(from, values));
    return values;
  }

  /**
   * Copies the values out of a tensor of an 8-bit type but {@code BOOL}, or the packed bytes out of
   * one with fewer bits.
   *
   * @return one a byte of memory
   */
  public byte[] readBytes() {
    byte[] values = new byte[HostAccess.lengthToRead(this, Carrier.BYTES)];
    HostAccess.read(this, from -> ArrayCopy.read(from, values));
    return values;
  }

  /**
   * Copies the values out of a {@code BOOL} tensor.
   *
   * @return one an element
   */
  public boolean[] readBooleans() {
    boolean[] values = new boolean[HostAccess.lengthToRead(this, Carrier.BOOLEANS)];
    HostAccess.read(this, from -> ArrayCopy.read(from, values));
    return values;
  }

  /**
   * Holds the tensor's memory for work in flight, also what a pending tensor will get, even if the
   * tensor is closed meanwhile; for drivers and engines.
   *
   * @throws IllegalStateException if the tensor is closed, or wraps memory whose arena is
   */
  public void retain() {
    hold("use");
  }

  void hold(String act) {
    if (closed || !content.retain()) {
      throw closedFailure(act);
    }
    TensorContent.Ready ready = content.ready();
    if (ready != null && !ready.memory().isAlive()) {
      content.release();
      throw new IllegalStateException(
          act
              + " tensor="
              + this
              + ": the arena of the memory that it wraps is closed;"
              + " keep it open until the last run that uses the tensor is done");
    }
  }

  /**
   * Lets go of what {@link #retain()} held.
   *
   * @throws IllegalStateException if nobody held it
   */
  public void release() {
    content.release();
  }

  /**
   * The memory for a holder of {@link #retain()}, also after the tensor was closed; for drivers and
   * engines.
   *
   * @return the memory, which the caller must not release
   * @throws IllegalStateException if nobody holds it, or the tensor is pending or failed
   */
  public DeviceMemory heldMemory() {
    if (!content.isHeld()) {
      throw closedFailure("use");
    }
    return known("use").memory();
  }

  /**
   * Whether {@link #close} was called.
   *
   * @return true also while runs in flight still hold the memory
   */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Gives the memory back, as soon as no run in flight holds it. Returns at once; a second call
   * does nothing.
   */
  @Override
  public void close() {
    try {
      if (CLOSED.compareAndSet(this, false, true)) {
        giveBack();
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void giveBack() {
    if (watch == null) {
      content.release();
    } else {
      watch.close();
    }
  }

  TensorContent.Ready open(String act) {
    if (closed) {
      throw closedFailure(act);
    }
    return known(act);
  }

  TensorContent.Ready known(String act) {
    return switch (content.state()) {
      case TensorContent.Ready ready -> ready;
      case TensorContent.Failed(String reason) ->
          throw new IllegalStateException(
              act + " tensor=" + this + ": the run that should have made it failed: " + reason);
      case TensorContent.Without.PENDING ->
          throw new IllegalStateException(
              act
                  + " tensor="
                  + this
                  + ": its shape and memory are known when the run that makes it is done");
      case TensorContent.Without.ABANDONED -> throw closedFailure(act);
    };
  }

  private IllegalStateException closedFailure(String act) {
    return new IllegalStateException(act + " tensor=" + this + ": it is closed");
  }

  private static TensorContent.Ready ready(DeviceMemory memory, DataType type, Shape shape) {
    long bytes = byteSize("make tensor of " + memory, type, shape);
    if (bytes > memory.byteSize()) {
      throw new IllegalArgumentException(
          "make tensor of " + memory + ": " + type + " " + shape + " needs bytes=" + bytes);
    }
    return new TensorContent.Ready(memory, shape, bytes);
  }

  static long byteSize(String subject, DataType type, Shape shape) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(shape, "shape");
    if (!shape.isStatic()) {
      throw new IllegalArgumentException(
          subject + ": shape=" + shape + " has an unknown dimension, expected a known one");
    }
    return type.byteSize(shape.elements());
  }

  @Override
  public String toString() {
    String shape =
        content.state() instanceof TensorContent.Ready ready
            ? ready.shape().toString()
            : "(no shape)";
    return type + " " + shape + " on " + device;
  }
}
