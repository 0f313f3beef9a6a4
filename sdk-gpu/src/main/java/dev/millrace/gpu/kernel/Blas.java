package dev.millrace.gpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.millrace.binding.StreamBound;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.ffi.Rocblas;
import dev.millrace.gpu.stream.CaptureGate;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.gpu.stream.FreeLater;
import dev.millrace.gpu.stream.NativeCall;
import dev.millrace.handle.StreamHandle;
import dev.millrace.lifetime.LeakWatch;
import dev.millrace.stream.Device;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products of rocBLAS: a handle with a workspace of its own. It works on the stream at which
 * it looks, the null stream at first; attach it to a {@code StreamContext} and bind that.
 *
 * <p>The workspace is one, and of a fixed size, so that no product allocates: rocBLAS would do so
 * at the first one, and again when it needs more. Sums are made in single precision. Results do not
 * differ from run to run. One thread at a time. Closing returns at once.
 *
 * <p>Experimental: may change in any release.
 */
public final class Blas implements StreamBound, AutoCloseable {
  /** What rocBLAS allocates for itself on most architectures. */
  public static final long DEFAULT_WORKSPACE_BYTES = 32L << 20;

  private static final int HOST_POINTERS = 0;
  private static final int NO_ATOMICS = 0;
  private static final int NO_TRANSPOSE = 111;
  private static final int TRANSPOSE = 112;
  private static final int F16 = 150;
  private static final int F32 = 151;
  private static final int BF16 = 168;
  private static final int CAPTURING = 1;

  private final Device device;
  private final Handle handle;
  private final LeakWatch watch;

  /** Where rocBLAS reads alpha and beta during a call. */
  private final MemorySegment factors = Arena.ofAuto().allocate(JAVA_FLOAT, 2);

  private boolean kernelsChecked;

  /** The native handle and its workspace. */
  private static final class Handle {
    final int ordinal;
    final long address;
    final WorkPool work;
    private final Tensor workspace;

    Handle(Device device, int ordinal, long workspaceBytes) {
      this.ordinal = ordinal;
      this.workspace = device.allocate(DataType.UINT8, Shape.of(workspaceBytes));
      try {
        this.address = create(workspaceBytes);
      } catch (RuntimeException | Error e) {
        workspace.close();
        throw e;
      }
      this.work = new WorkPool(device.driver(), "rocBLAS handle", this::giveBack);
    }

    private long create(long workspaceBytes) {
      long[] made = new long[1];
      CaptureGate.loadOrFree("make a rocBLAS handle", () -> made[0] = createNow(workspaceBytes));
      return made[0];
    }

    private long createNow(long workspaceBytes) {
      int former = CurrentDevice.enter(ordinal);
      try {
        long created = Rocblas.createHandle();
        try {
          Rocblas.setWorkspace(created, workspace.address(), workspaceBytes);
          Rocblas.setPointerMode(created, HOST_POINTERS);
          Rocblas.setAtomicsMode(created, NO_ATOMICS);
          return created;
        } catch (RuntimeException | Error e) {
          Rocblas.destroyHandle(created);
          throw e;
        }
      } finally {
        CurrentDevice.leave(former, ordinal);
      }
    }

    private void giveBack() {
      FreeLater.run(
          "destroy a rocBLAS handle",
          ordinal,
          () -> {
            Rocblas.destroyHandle(address);
            workspace.close();
          });
    }
  }

  private Blas(Device device, Handle handle) {
    this.device = device;
    this.handle = handle;
    long ticket = device.opened(this);
    this.watch =
        LeakWatch.on(
            this,
            "Blas",
            () -> {
              device.closed(ticket);
              handle.work.release();
            });
  }

  /**
   * Makes a handle with the default workspace.
   *
   * @param device a GPU
   * @return the handle, the caller's to close
   * @see #create(Device, long)
   */
  public static Blas create(Device device) {
    return create(device, DEFAULT_WORKSPACE_BYTES);
  }

  /**
   * Makes a handle.
   *
   * @param device a GPU
   * @param workspaceBytes device memory that its products may use
   * @return the handle, the caller's to close
   * @throws IllegalArgumentException if the size is less than 1
   * @throws UnsupportedOperationException if the device is no GPU
   * @throws dev.millrace.error.LibraryMissingException if rocBLAS is not there
   * @throws IllegalStateException in the body of a capture
   */
  public static Blas create(Device device, long workspaceBytes) {
    int ordinal = Gpu.ordinal(device, "make a rocBLAS handle");
    if (workspaceBytes < 1) {
      throw new IllegalArgumentException(
          "make a rocBLAS handle: workspaceBytes=" + workspaceBytes + ", expected 1 or more");
    }
    Rocblas.missing()
        .ifPresent(
            missing -> {
              throw missing;
            });
    return new Blas(device, new Handle(device, ordinal, workspaceBytes));
  }

  @Override
  public String name() {
    return "rocblas";
  }

  @Override
  public boolean hasWorkspace() {
    return true;
  }

  @Override
  public StreamHandle stream() {
    WorkInFlight open = handle.work.take("ask a rocBLAS handle for its stream");
    try {
      return new StreamHandle(device.id(), Rocblas.getStream(handle.address));
    } finally {
      open.run();
    }
  }

  @Override
  public void setStream(StreamHandle stream) {
    if (!stream.device().equals(device.id())) {
      throw new IllegalArgumentException(
          "point a rocBLAS handle at " + stream + ": expected a stream of " + device.id());
    }
    WorkInFlight open = handle.work.take("point a rocBLAS handle at " + stream);
    int former = CurrentDevice.enter(handle.ordinal);
    try {
      Rocblas.setStream(handle.address, stream.address());
    } finally {
      CurrentDevice.leave(former, handle.ordinal);
      open.run();
    }
  }

  /**
   * Enqueues a product on the stream at which the handle looks, and returns. The tensors are kept
   * until it is done.
   *
   * @param form sizes, leading dimensions, factors, batches
   * @param a of {@code FLOAT}, {@code FLOAT16} or {@code BFLOAT16}
   * @param b of A's type
   * @param c of A's type, which gets the result
   * @throws IllegalArgumentException for tensors of another type or device, or too small for the
   *     form; and in a captured program for those that later runs replace, since a library's
   *     launches cannot be pointed at others
   * @throws IllegalStateException if the handle or a tensor is closed
   * @throws dev.millrace.error.LibraryMissingException if rocBLAS has no kernels for the
   *     architecture: its first product would end the process
   */
  public void gemm(Gemm form, Tensor a, Tensor b, Tensor c) {
    Objects.requireNonNull(form, "form");
    int type = type(Objects.requireNonNull(a, "a"));
    check("a", a, a.type(), form.elements(form.a()));
    check("b", Objects.requireNonNull(b, "b"), a.type(), form.elements(form.b()));
    check("c", Objects.requireNonNull(c, "c"), a.type(), form.elements(form.c()));
    requireKernels();
    WorkInFlight work = handle.work.take("multiply");
    boolean enqueued = false;
    try {
      work.keep(a);
      work.keep(b);
      work.keep(c);
      long stream = Rocblas.getStream(handle.address);
      CaptureGate.Keeper keeper = keeper(stream, a, b, c);
      boolean captured = enqueue(form, type, stream, a, b, c);
      enqueued = true;
      letGo(work, stream, captured, keeper);
    } finally {
      if (!enqueued) {
        work.run();
      }
    }
  }

  private static void letGo(
      WorkInFlight work, long stream, boolean captured, CaptureGate.@Nullable Keeper keeper) {
    if (!captured) {
      work.watch(stream);
    } else if (keeper == null) {
      work.run(); // the application's own capture: the tensors are the application's to keep
    } else {
      keeper.keep(work);
    }
  }

  private static CaptureGate.@Nullable Keeper keeper(long stream, Tensor a, Tensor b, Tensor c) {
    CaptureGate.Keeper keeper = CaptureGate.keeperOf(stream);
    if (keeper != null) {
      keeper.requireFixed("Blas.gemm a", a);
      keeper.requireFixed("Blas.gemm b", b);
      keeper.requireFixed("Blas.gemm c", c);
    }
    return keeper;
  }

  private void requireKernels() {
    if (!kernelsChecked) {
      BlasKernels.require(handle.ordinal);
      kernelsChecked = true;
    }
  }

  private static int type(Tensor a) {
    return switch (a.type()) {
      case FLOAT -> F32;
      case FLOAT16 -> F16;
      case BFLOAT16 -> BF16;
      default ->
          throw new IllegalArgumentException(
              "multiply: given a=" + a + ", expected type=FLOAT, FLOAT16 or BFLOAT16");
    };
  }

  private void check(String name, Tensor tensor, DataType type, long elements) {
    String given = "multiply: given " + name + "=" + tensor;
    if (tensor.type() != type) {
      throw new IllegalArgumentException(given + ", expected type=" + type + ", that of a");
    }
    boolean ofDevice = tensor.device().equals(device.id());
    if (!ofDevice || tensor.memory().isWrapped() || tensor.memory().kind() == MemoryKind.HOST) {
      throw new IllegalArgumentException(given + ", expected a tensor of " + device.id());
    }
    long has = tensor.shape().elements();
    if (has < elements) {
      throw new IllegalArgumentException(given + ", expected elements=" + elements + " or more");
    }
  }

  /**
   * Whether the product was captured, and does not run. rocBLAS takes matrices column after column:
   * what lies row after row is the transposed matrix to it, and C transposed is B transposed times
   * A transposed.
   */
  private boolean enqueue(Gemm form, int type, long stream, Tensor a, Tensor b, Tensor c) {
    factors.setAtIndex(JAVA_FLOAT, 0, form.alpha());
    factors.setAtIndex(JAVA_FLOAT, 1, form.beta());
    long beganNs = NativeCall.begin();
    int former = CurrentDevice.enter(handle.ordinal);
    try {
      boolean captured = stream != 0 && HipStreams.streamIsCapturing(stream) == CAPTURING;
      if (form.batches() == 1) {
        multiply(form, type, a.address(), b.address(), c.address());
      } else {
        multiplyBatches(form, type, a.address(), b.address(), c.address());
      }
      return captured;
    } finally {
      CurrentDevice.leave(former, handle.ordinal);
      if (beganNs != 0) {
        NativeCall.end("rocblas_gemm_ex", beganNs, device.driver().traceId(stream));
      }
    }
  }

  private void multiply(Gemm form, int type, long a, long b, long c) {
    int ldc = form.c().leading();
    Rocblas.gemmEx(
        handle.address,
        operation(form.b()),
        operation(form.a()),
        form.n(),
        form.m(),
        form.k(),
        factors.address(),
        b,
        type,
        form.b().leading(),
        a,
        type,
        form.a().leading(),
        factors.address() + Float.BYTES,
        c,
        type,
        ldc,
        c,
        type,
        ldc,
        F32,
        0,
        0,
        0);
  }

  private void multiplyBatches(Gemm form, int type, long a, long b, long c) {
    int ldc = form.c().leading();
    long strideC = form.c().stride();
    Rocblas.gemmStridedBatchedEx(
        handle.address,
        operation(form.b()),
        operation(form.a()),
        form.n(),
        form.m(),
        form.k(),
        factors.address(),
        b,
        type,
        form.b().leading(),
        form.b().stride(),
        a,
        type,
        form.a().leading(),
        form.a().stride(),
        factors.address() + Float.BYTES,
        c,
        type,
        ldc,
        strideC,
        c,
        type,
        ldc,
        strideC,
        form.batches(),
        F32,
        0,
        0,
        0);
  }

  private static int operation(Gemm.Operand operand) {
    return operand.transposed() ? TRANSPOSE : NO_TRANSPOSE;
  }

  /**
   * The device of the handle.
   *
   * @return the device
   */
  public Device device() {
    return device;
  }

  @Override
  public void close() {
    try {
      watch.close();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return "rocBLAS handle of " + device;
  }
}
