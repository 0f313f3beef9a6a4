package dev.millrace.gpu.ffi;

import dev.millrace.error.LibraryMissingException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** Functions of rocBLAS. */
public final class Rocblas {
  static final NativeLibrary LIBRARY =
      NativeLibrary.openAbove(Hip.LIBRARY, "rocblas", List.of(6, 5, 4, 3), Rocblas::statusName);

  private static final MethodHandle STATUS_TO_STRING =
      LIBRARY.plain("const char* rocblas_status_to_string(rocblas_status status)");
  private static final MethodHandle VERSION =
      LIBRARY.check(
          "ask for the version of rocBLAS",
          "rocblas_status rocblas_get_version_string(char* buf, size_t len)");
  private static final MethodHandle CREATE_HANDLE =
      LIBRARY.check(
          "make a rocBLAS handle", "rocblas_status rocblas_create_handle(rocblas_handle* handle)");
  private static final MethodHandle DESTROY_HANDLE =
      LIBRARY.check(
          "destroy a rocBLAS handle",
          "rocblas_status rocblas_destroy_handle(rocblas_handle handle)");
  private static final MethodHandle SET_STREAM =
      LIBRARY.check(
          "point a rocBLAS handle at a stream",
          "rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream)");
  private static final MethodHandle GET_STREAM =
      LIBRARY.check(
          "ask a rocBLAS handle for its stream",
          "rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t* stream)");
  private static final MethodHandle SET_POINTER_MODE =
      LIBRARY.check(
          "set the pointer mode",
          "rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode pointer_mode)");
  private static final MethodHandle SET_ATOMICS_MODE =
      LIBRARY.check(
          "set the atomics mode",
          "rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode atomics_mode)");
  private static final MethodHandle SET_WORKSPACE =
      LIBRARY.check(
          "give a rocBLAS handle a workspace",
          "rocblas_status rocblas_set_workspace(rocblas_handle handle, void* addr, size_t size)");
  private static final MethodHandle GEMM_EX =
      LIBRARY.check(
          "multiply matrices",
          "rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m, rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type, rocblas_int lda, const void* b, rocblas_datatype b_type, rocblas_int ldb, const void* beta, const void* c, rocblas_datatype c_type, rocblas_int ldc, void* d, rocblas_datatype d_type, rocblas_int ldd, rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t solution_index, uint32_t flags)");
  private static final MethodHandle GEMM_STRIDED_BATCHED_EX =
      LIBRARY.check(
          "multiply batches of matrices",
          "rocblas_status rocblas_gemm_strided_batched_ex(rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m, rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type, rocblas_int lda, rocblas_stride stride_a, const void* b, rocblas_datatype b_type, rocblas_int ldb, rocblas_stride stride_b, const void* beta, const void* c, rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void* d, rocblas_datatype d_type, rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count, rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t solution_index, uint32_t flags)");

  private Rocblas() {}

  /**
   * Makes a handle on the current device.
   *
   * @return the handle
   */
  public static long createHandle() {
    long out = Native.slot();
    try {
      CREATE_HANDLE.invokeExact(out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_create_handle", e);
    }
  }

  /**
   * Destroys a handle.
   *
   * @param handle the handle
   */
  public static void destroyHandle(long handle) {
    try {
      DESTROY_HANDLE.invokeExact(handle);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_destroy_handle", e);
    }
  }

  /**
   * Points a handle at a stream.
   *
   * @param handle the handle
   * @param stream the stream
   */
  public static void setStream(long handle, long stream) {
    try {
      SET_STREAM.invokeExact(handle, stream);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_set_stream", e);
    }
  }

  /**
   * Where a handle is.
   *
   * @param handle the handle
   * @return its stream
   */
  public static long getStream(long handle) {
    long out = Native.slot();
    try {
      GET_STREAM.invokeExact(handle, out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_get_stream", e);
    }
  }

  /**
   * Where alpha and beta are.
   *
   * @param handle the handle
   * @param pointer_mode 0 host, 1 device
   */
  public static void setPointerMode(long handle, int pointer_mode) {
    try {
      SET_POINTER_MODE.invokeExact(handle, pointer_mode);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_set_pointer_mode", e);
    }
  }

  /**
   * Whether results may differ from run to run.
   *
   * @param handle the handle
   * @param atomics_mode 0 not allowed, 1 allowed
   */
  public static void setAtomicsMode(long handle, int atomics_mode) {
    try {
      SET_ATOMICS_MODE.invokeExact(handle, atomics_mode);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_set_atomics_mode", e);
    }
  }

  /**
   * Gives a handle memory of its own.
   *
   * @param handle the handle
   * @param addr device memory
   * @param size bytes
   */
  public static void setWorkspace(long handle, long addr, long size) {
    try {
      SET_WORKSPACE.invokeExact(handle, addr, size);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_set_workspace", e);
    }
  }

  /**
   * D = alpha A B + beta C, column by column.
   *
   * @param handle the handle
   * @param transA 111 none, 112 transposed
   * @param transB likewise
   * @param m rows of A
   * @param n columns of B
   * @param k columns of A
   * @param alpha address on the host
   * @param a A
   * @param a_type its element type
   * @param lda its leading dimension
   * @param b B
   * @param b_type its element type
   * @param ldb its leading dimension
   * @param beta address on the host
   * @param c C
   * @param c_type its element type
   * @param ldc its leading dimension
   * @param d D
   * @param d_type its element type
   * @param ldd its leading dimension
   * @param compute_type of the sums
   * @param algo 0 standard
   * @param solution_index 0
   * @param flags 0
   */
  public static void gemmEx(
      long handle,
      int transA,
      int transB,
      int m,
      int n,
      int k,
      long alpha,
      long a,
      int a_type,
      int lda,
      long b,
      int b_type,
      int ldb,
      long beta,
      long c,
      int c_type,
      int ldc,
      long d,
      int d_type,
      int ldd,
      int compute_type,
      int algo,
      int solution_index,
      int flags) {
    try {
      GEMM_EX.invokeExact(
          handle,
          transA,
          transB,
          m,
          n,
          k,
          alpha,
          a,
          a_type,
          lda,
          b,
          b_type,
          ldb,
          beta,
          c,
          c_type,
          ldc,
          d,
          d_type,
          ldd,
          compute_type,
          algo,
          solution_index,
          flags);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_gemm_ex", e);
    }
  }

  /**
   * As {@link #gemmEx}, for matrices that follow one another.
   *
   * @param handle the handle
   * @param transA 111 none, 112 transposed
   * @param transB likewise
   * @param m rows of A
   * @param n columns of B
   * @param k columns of A
   * @param alpha address on the host
   * @param a A
   * @param a_type its element type
   * @param lda its leading dimension
   * @param stride_a elements from matrix to matrix
   * @param b B
   * @param b_type its element type
   * @param ldb its leading dimension
   * @param stride_b elements from matrix to matrix
   * @param beta address on the host
   * @param c C
   * @param c_type its element type
   * @param ldc its leading dimension
   * @param stride_c elements from matrix to matrix
   * @param d D
   * @param d_type its element type
   * @param ldd its leading dimension
   * @param stride_d elements from matrix to matrix
   * @param batch_count how many
   * @param compute_type of the sums
   * @param algo 0 standard
   * @param solution_index 0
   * @param flags 0
   */
  public static void gemmStridedBatchedEx(
      long handle,
      int transA,
      int transB,
      int m,
      int n,
      int k,
      long alpha,
      long a,
      int a_type,
      int lda,
      long stride_a,
      long b,
      int b_type,
      int ldb,
      long stride_b,
      long beta,
      long c,
      int c_type,
      int ldc,
      long stride_c,
      long d,
      int d_type,
      int ldd,
      long stride_d,
      int batch_count,
      int compute_type,
      int algo,
      int solution_index,
      int flags) {
    try {
      GEMM_STRIDED_BATCHED_EX.invokeExact(
          handle,
          transA,
          transB,
          m,
          n,
          k,
          alpha,
          a,
          a_type,
          lda,
          stride_a,
          b,
          b_type,
          ldb,
          stride_b,
          beta,
          c,
          c_type,
          ldc,
          stride_c,
          d,
          d_type,
          ldd,
          stride_d,
          batch_count,
          compute_type,
          algo,
          solution_index,
          flags);
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_gemm_strided_batched_ex", e);
    }
  }

  /**
   * Why the library is not there.
   *
   * @return the reason, or empty
   */
  public static Optional<LibraryMissingException> missing() {
    return LIBRARY.missing();
  }

  /**
   * The library's version.
   *
   * @return for example {@code 4.4.1.a1b2c3}
   */
  public static String version() {
    try {
      return Native.text(
          128,
          (text, bytes) -> {
            VERSION.invokeExact(text, bytes);
          });
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_get_version_string", e);
    }
  }

  private static String statusName(int status) {
    try {
      return Native.string((long) STATUS_TO_STRING.invokeExact(status));
    } catch (Throwable e) {
      throw Native.unexpected("rocblas_status_to_string", e);
    }
  }
}
