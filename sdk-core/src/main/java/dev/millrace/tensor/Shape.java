package dev.millrace.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The dimensions of a tensor, outermost first. A dimension that varies is {@link #UNKNOWN}; a
 * dimension of 0 makes a tensor without elements; no dimension at all makes a scalar, which has
 * one. Immutable.
 */
public final class Shape {
  /** Stands for a dimension that is known only when a program runs. */
  public static final long UNKNOWN = -1;

  private static final Shape OF_ANY_RANK = new Shape(new long[0], false);

  private final long[] dims;
  private final boolean ranked;

  private Shape(long[] dims, boolean ranked) {
    this.dims = dims;
    this.ranked = ranked;
  }

  /**
   * Makes a shape.
   *
   * @param dims the dimensions, outermost first, each 0 or more or {@link #UNKNOWN}; none for a
   *     scalar
   * @return the shape
   * @throws IllegalArgumentException if a dimension is less than {@link #UNKNOWN}
   */
  public static Shape of(long... dims) {
    Shape shape = new Shape(dims.clone(), true);
    for (long dim : shape.dims) {
      if (dim < UNKNOWN) {
        throw new IllegalArgumentException(
            "shape=" + Arrays.toString(dims) + ": expected dimensions of 0 or more, or -1 for ?");
      }
    }
    return shape;
  }

  /**
   * The shape of which nothing is known, not even how many dimensions it has. Some models say no
   * more of an input or output; a tensor never has it.
   *
   * @return the shape that accepts every other
   */
  public static Shape ofAnyRank() {
    return OF_ANY_RANK;
  }

  /**
   * Whether the number of dimensions is known.
   *
   * @return false for {@link #ofAnyRank()} alone
   */
  public boolean isRanked() {
    return ranked;
  }

  /**
   * How many dimensions there are.
   *
   * @return the number, 0 for a scalar
   * @throws IllegalStateException if that is unknown
   */
  public int rank() {
    if (!ranked) {
      throw new IllegalStateException("ask the rank of shape=" + this + ": it is open");
    }
    return dims.length;
  }

  /**
   * One dimension.
   *
   * @param axis its place, from 0
   * @return its size, or {@link #UNKNOWN}
   * @throws IllegalArgumentException if there is no such axis
   */
  public long dim(int axis) {
    if (axis < 0 || axis >= dims.length) {
      String expected =
          dims.length == 0 ? "a scalar has no axis" : "expected 0 to " + (dims.length - 1);
      throw new IllegalArgumentException("axis=" + axis + " of shape=" + this + ": " + expected);
    }
    return dims[axis];
  }

  /**
   * All dimensions.
   *
   * @return a new array, outermost first
   * @throws IllegalStateException if not even their number is known
   */
  public long[] toArray() {
    return Arrays.copyOf(dims, rank());
  }

  /**
   * How many elements a tensor of this shape has.
   *
   * @return the product of the dimensions, 1 for a scalar
   * @throws IllegalStateException if a dimension is unknown
   * @throws IllegalArgumentException if the product exceeds a {@code long}
   */
  public long elements() {
    if (!isStatic()) {
      throw new IllegalStateException("count elements of shape=" + this + ": a dimension is open");
    }
    return hasZero() ? 0 : product();
  }

  // A zero makes the product 0 however large the other dimensions are.
  private boolean hasZero() {
    for (long dim : dims) {
      if (dim == 0) {
        return true;
      }
    }
    return false;
  }

  private long product() {
    long product = 1;
    for (long dim : dims) {
      if (dim > Long.MAX_VALUE / product) {
        throw new IllegalArgumentException(
            "count elements of shape=" + this + ": there are more than 2^63 - 1");
      }
      product *= dim;
    }
    return product;
  }

  /**
   * Whether every dimension is known.
   *
   * @return false if one is {@link #UNKNOWN}, or not even their number is known
   */
  public boolean isStatic() {
    if (!ranked) {
      return false;
    }
    for (long dim : dims) {
      if (dim == UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a tensor of another shape can stand where this one is asked for.
   *
   * @param other the shape that is given
   * @return true if the ranks are equal, and each dimension is equal or unknown in this shape; or
   *     if this shape is of any rank
   */
  public boolean accepts(Shape other) {
    if (!ranked) {
      return true;
    }
    if (!other.ranked || other.dims.length != dims.length) {
      return false;
    }
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] != UNKNOWN && dims[axis] != other.dims[axis]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape
        && ranked == shape.ranked
        && Arrays.equals(dims, shape.dims);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims);
  }

  @Override
  public String toString() {
    if (!ranked) {
      return "[...]";
    }
    return Arrays.stream(dims)
        .mapToObj(dim -> dim == UNKNOWN ? "?" : Long.toString(dim))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
