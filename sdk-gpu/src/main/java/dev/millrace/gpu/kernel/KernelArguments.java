package dev.millrace.gpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.gpu.kernel.KernelParameter.Kind;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments with which a kernel is launched, by position. They are used again by each launch
 * until others are set, so that a launch makes nothing. A launch takes the values that are set when
 * it is enqueued; setting others afterwards changes later launches only.
 *
 * <p>Tensors are borrowed: their caller closes them, and each launch keeps the memory until it is
 * done. One thread at a time.
 *
 * <p>Experimental: may change in any release.
 */
public final class KernelArguments {
  private final Kernel kernel;
  private final List<KernelParameter> parameters;
  private final @Nullable Tensor[] tensors;
  private final boolean[] given;
  private final long[] offsets;

  /** The values, each at a multiple of eight bytes, and the addresses that HIP reads them by. */
  private final MemorySegment values;

  private final MemorySegment addresses;
  private final long addressOfAddresses;

  KernelArguments(Kernel kernel) {
    this.kernel = kernel;
    this.parameters = kernel.parameters();
    int count = parameters.size();
    this.tensors = new @Nullable Tensor[count];
    this.given = new boolean[count];
    this.offsets = new long[count];
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      offsets[i] = bytes;
      bytes += (parameters.get(i).size() + 7L) & ~7L;
    }
    Arena arena = Arena.ofAuto();
    this.values = arena.allocate(Math.max(Long.BYTES, bytes), 2L * Long.BYTES);
    this.addresses = arena.allocate(JAVA_LONG, Math.max(1, count));
    this.addressOfAddresses = addresses.address();
    for (int i = 0; i < count; i++) {
      addresses.setAtIndex(JAVA_LONG, i, values.address() + offsets[i]);
    }
  }

  /**
   * Sets a pointer.
   *
   * @param position of the parameter, from 0
   * @param tensor in device or pinned memory of the module's device
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, it takes a value, or the tensor
   *     is another device's
   * @throws IllegalStateException if the tensor is closed or pending
   */
  public KernelArguments set(int position, Tensor tensor) {
    KernelParameter parameter = parameter(position);
    if (parameter.kind() != Kind.POINTER) {
      throw refused(position, tensor, parameter.toString());
    }
    boolean ofDevice = tensor.device().equals(kernel.device().id());
    if (!ofDevice || tensor.memory().isWrapped() || tensor.memory().kind() == MemoryKind.HOST) {
      throw refused(position, tensor, "a tensor of " + kernel.device().id());
    }
    values.set(JAVA_LONG, offsets[position], tensor.address());
    tensors[position] = tensor;
    given[position] = true;
    return this;
  }

  /**
   * Sets a value.
   *
   * @param position of the parameter, from 0
   * @param value of four bytes
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, int value) {
    values.set(JAVA_INT, valueAt(position, "an int", Integer.BYTES), value);
    return this;
  }

  /**
   * Sets a value.
   *
   * @param position of the parameter, from 0
   * @param value of eight bytes
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, long value) {
    values.set(JAVA_LONG, valueAt(position, "a long", Long.BYTES), value);
    return this;
  }

  /**
   * Sets a value.
   *
   * @param position of the parameter, from 0
   * @param value of four bytes
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, float value) {
    values.set(JAVA_FLOAT, valueAt(position, "a float", Float.BYTES), value);
    return this;
  }

  /**
   * Sets a value.
   *
   * @param position of the parameter, from 0
   * @param value of eight bytes
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, double value) {
    values.set(JAVA_DOUBLE, valueAt(position, "a double", Double.BYTES), value);
    return this;
  }

  /**
   * Sets a value.
   *
   * @param position of the parameter, from 0
   * @param value of two bytes; for the 16-bit floating-point types, their bits
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, short value) {
    values.set(JAVA_SHORT, valueAt(position, "a short", Short.BYTES), value);
    return this;
  }

  /**
   * Sets a value.
   *
   * @param position of the parameter, from 0
   * @param value of one byte
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, byte value) {
    values.set(JAVA_BYTE, valueAt(position, "a byte", Byte.BYTES), value);
    return this;
  }

  /**
   * Sets a value of any type, for example a struct.
   *
   * @param position of the parameter, from 0
   * @param bytes the value as it lies in memory, which is copied
   * @return this
   * @throws IllegalArgumentException if there is no such parameter, or it takes something else
   */
  public KernelArguments set(int position, MemorySegment bytes) {
    long at = valueAt(position, "a segment", bytes.byteSize());
    MemorySegment.copy(bytes, 0, values, at, bytes.byteSize());
    return this;
  }

  /** For {@link Kernel#arguments(Object...)}. */
  KernelArguments setObject(int position, Object value) {
    return switch (value) {
      case Tensor tensor -> set(position, tensor);
      case Integer number -> set(position, number.intValue());
      case Long number -> set(position, number.longValue());
      case Float number -> set(position, number.floatValue());
      case Double number -> set(position, number.doubleValue());
      case Short number -> set(position, number.shortValue());
      case Byte number -> set(position, number.byteValue());
      case MemorySegment bytes -> set(position, bytes);
      case null -> throw new NullPointerException("argument=" + position);
      default -> throw refused(position, value, parameter(position).toString());
    };
  }

  private long valueAt(int position, String what, long bytes) {
    KernelParameter parameter = parameter(position);
    if (parameter.kind() != Kind.VALUE || parameter.size() != bytes) {
      throw refused(position, what + " of bytes=" + bytes, parameter.toString());
    }
    given[position] = true;
    return offsets[position];
  }

  private KernelParameter parameter(int position) {
    if (position < 0 || position >= parameters.size()) {
      throw new IllegalArgumentException(
          "kernel="
              + kernel.name()
              + " argument="
              + position
              + ": expected one of "
              + parameters.size()
              + ", from 0");
    }
    return parameters.get(position);
  }

  private IllegalArgumentException refused(int position, Object value, String expected) {
    return new IllegalArgumentException(
        "kernel="
            + kernel.name()
            + " argument="
            + position
            + ": given "
            + value
            + ", expected "
            + expected);
  }

  void checkFor(Kernel launched) {
    if (launched != kernel) {
      throw new IllegalArgumentException(
          "launch " + launched + ": given arguments of " + kernel + ", expected its own");
    }
    for (int i = 0; i < given.length; i++) {
      if (!given[i]) {
        throw refused(i, "nothing", parameters.get(i).toString());
      }
    }
  }

  void keepIn(WorkInFlight work) {
    for (Tensor tensor : tensors) {
      if (tensor != null) {
        work.keep(tensor);
      }
    }
  }

  /** What HIP reads: an address for each argument. */
  long address() {
    return addressOfAddresses;
  }

  MemorySegment values() {
    return values;
  }

  long[] offsets() {
    return offsets;
  }

  long[] pointerOffsets() {
    return IntStream.range(0, tensors.length)
        .filter(i -> tensors[i] != null)
        .mapToLong(i -> offsets[i])
        .toArray();
  }
}
