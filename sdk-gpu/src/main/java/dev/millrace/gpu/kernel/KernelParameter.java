package dev.millrace.gpu.kernel;

/**
 * A parameter of a kernel, as the code object describes it.
 *
 * @param offset its place in the kernel's block of arguments, in bytes
 * @param size bytes
 * @param kind whether it is a pointer to device memory or a value
 */
public record KernelParameter(int offset, int size, Kind kind) {

  /** What a parameter takes. */
  public enum Kind {
    /** A pointer to device memory: a tensor. */
    POINTER,
    /** A value that is copied when the kernel is launched. */
    VALUE
  }

  @Override
  public String toString() {
    return kind == Kind.POINTER ? "a pointer" : "a value of bytes=" + size;
  }
}
