package dev.millrace.gpu.kernel;

/**
 * The form of a matrix product, C = alpha · op(A) · op(B) + beta · C, of matrices that lie row
 * after row, as tensors do. A leading dimension is the number of elements from row to row.
 * Immutable: each method returns a copy.
 *
 * <p>Experimental: may change in any release.
 */
public final class Gemm {
  private final int m;
  private final int n;
  private final int k;
  private final Operand a;
  private final Operand b;
  private final Operand c;
  private final float alpha;
  private final float beta;
  private final int batches;

  /**
   * How one of the matrices lies in memory.
   *
   * @param rows that are stored
   * @param columns that are stored
   * @param transposed whether the product takes it transposed
   * @param leading elements from row to row
   * @param stride elements from matrix to matrix of a batch
   */
  record Operand(int rows, int columns, boolean transposed, int leading, long stride) {
    static Operand packed(int rows, int columns, boolean transposed) {
      return new Operand(rows, columns, transposed, columns, (long) rows * columns);
    }

    /** Elements from the first to the last of one matrix. */
    long extent() {
      return (rows - 1L) * leading + columns;
    }

    void checkLeading(String name) {
      if (leading < columns) {
        throw new IllegalArgumentException(
            "multiply: given ld"
                + name
                + "="
                + leading
                + ", expected "
                + columns
                + " or more, the columns of "
                + name
                + " as it is stored");
      }
    }
  }

  private Gemm(
      int m, int n, int k, Operand a, Operand b, Operand c, float alpha, float beta, int batches) {
    this.m = m;
    this.n = n;
    this.k = k;
    this.a = a;
    this.b = b;
    this.c = c;
    this.alpha = alpha;
    this.beta = beta;
    this.batches = batches;
  }

  /**
   * A product of packed matrices: C = A · B.
   *
   * @param m rows of A and C
   * @param n columns of B and C
   * @param k columns of A, rows of B
   * @return the form
   * @throws IllegalArgumentException if one is less than 1
   */
  public static Gemm of(int m, int n, int k) {
    requirePositive("m", m);
    requirePositive("n", n);
    requirePositive("k", k);
    return new Gemm(
        m,
        n,
        k,
        Operand.packed(m, k, false),
        Operand.packed(k, n, false),
        Operand.packed(m, n, false),
        1,
        0,
        1);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("multiply " + name + "=" + value + ": expected 1 or more");
    }
  }

  /**
   * Takes A transposed: it is stored with k rows and m columns, packed.
   *
   * @return a copy
   */
  public Gemm transposingA() {
    return with(Operand.packed(k, m, true), b, c);
  }

  /**
   * Takes B transposed: it is stored with n rows and k columns, packed.
   *
   * @return a copy
   */
  public Gemm transposingB() {
    return with(a, Operand.packed(n, k, true), c);
  }

  /**
   * Sets the factors.
   *
   * @param product of the product
   * @param addend of what C holds before; 0 takes C as if it were zero
   * @return a copy
   */
  public Gemm scaled(float product, float addend) {
    return new Gemm(m, n, k, a, b, c, product, addend, batches);
  }

  /**
   * Sets the leading dimensions; to be called after the transpositions.
   *
   * @param lda elements from row to row of A
   * @param ldb elements from row to row of B
   * @param ldc elements from row to row of C
   * @return a copy
   * @throws IllegalArgumentException if one is less than the columns of its matrix as it is stored
   */
  public Gemm leading(int lda, int ldb, int ldc) {
    Gemm changed = with(leading(a, lda), leading(b, ldb), leading(c, ldc));
    changed.a.checkLeading("a");
    changed.b.checkLeading("b");
    changed.c.checkLeading("c");
    return changed;
  }

  private static Operand leading(Operand one, int leading) {
    return new Operand(
        one.rows(), one.columns(), one.transposed(), leading, (long) one.rows() * leading);
  }

  /**
   * Multiplies several pairs of matrices that follow one another in the tensors.
   *
   * @param count how many
   * @return a copy, with as much from matrix to matrix as a matrix takes
   * @throws IllegalArgumentException if the count is less than 1
   */
  public Gemm batched(int count) {
    requirePositive("batches", count);
    return new Gemm(m, n, k, a, b, c, alpha, beta, count);
  }

  /**
   * Sets what lies between the matrices of a batch; to be called last.
   *
   * @param strideA elements from matrix to matrix of A; 0 takes one A for all
   * @param strideB elements from matrix to matrix of B; 0 takes one B for all
   * @param strideC elements from matrix to matrix of C
   * @return a copy
   * @throws IllegalArgumentException if one is negative, or the matrices of C overlap
   */
  public Gemm strides(long strideA, long strideB, long strideC) {
    if (strideA < 0 || strideB < 0 || strideC < c.extent()) {
      throw new IllegalArgumentException(
          "multiply: given strideA=%d strideB=%d strideC=%d, expected 0 or more, and for C %d or more"
              .formatted(strideA, strideB, strideC, c.extent()));
    }
    return with(stride(a, strideA), stride(b, strideB), stride(c, strideC));
  }

  private static Operand stride(Operand one, long stride) {
    return new Operand(one.rows(), one.columns(), one.transposed(), one.leading(), stride);
  }

  private Gemm with(Operand newA, Operand newB, Operand newC) {
    return new Gemm(m, n, k, newA, newB, newC, alpha, beta, batches);
  }

  /** The elements that a tensor must have for one of the matrices. */
  long elements(Operand one) {
    return Math.addExact(Math.multiplyExact(batches - 1L, one.stride()), one.extent());
  }

  int m() {
    return m;
  }

  int n() {
    return n;
  }

  int k() {
    return k;
  }

  Operand a() {
    return a;
  }

  Operand b() {
    return b;
  }

  Operand c() {
    return c;
  }

  float alpha() {
    return alpha;
  }

  float beta() {
    return beta;
  }

  int batches() {
    return batches;
  }

  @Override
  public String toString() {
    return "m=%d n=%d k=%d lda=%d ldb=%d ldc=%d batches=%d"
        .formatted(m, n, k, a.leading(), b.leading(), c.leading(), batches);
  }
}
