package dev.millrace.gpu.captured;

import dev.millrace.gpu.kernel.Kernel;
import dev.millrace.gpu.kernel.KernelModule;
import dev.millrace.gpu.kernel.KernelSource;
import dev.millrace.gpu.kernel.Launch;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Program;
import dev.millrace.stream.Device;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;

/** {@code sum = a + b} of the conformance suite, captured from one launch of a kernel. */
public final class CapturedAdd {
  private static final int BLOCK = 64;

  private static final KernelSource SOURCE =
      KernelSource.of(
          "add.hip",
          """
          extern "C" __global__ void add(float* sum, const float* a, const float* b, int count) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < count) sum[i] = a[i] + b[i];
          }
          """);

  private CapturedAdd() {}

  /**
   * Captures it.
   *
   * @param device a GPU
   * @param options lanes and runs in flight
   * @param elements how many floats each of the tensors has
   * @param passing how runs pass their tensors
   * @return the program, the caller's to close
   */
  public static Program load(Device device, CompileOptions options, int elements, Passing passing) {
    Shape shape = Shape.of(elements);
    CaptureSpec spec =
        CaptureSpec.of("add")
            .withInput("a", DataType.FLOAT, shape, passing)
            .withInput("b", DataType.FLOAT, shape, passing)
            .withOutput("sum", DataType.FLOAT, shape, passing);
    Program made = null;
    try (StreamContext context = device.newContext();
        KernelModule module = KernelModule.compile(device, SOURCE)) {
      Kernel add = module.kernel("add");
      made =
          CapturedProgram.capture(context, spec, options, scope -> enqueue(scope, add, elements));
    } catch (RuntimeException | Error e) {
      if (made != null) {
        made.close(); // giving the context back failed: nobody else has the program
      }
      throw e;
    }
    return made;
  }

  private static void enqueue(CaptureScope scope, Kernel add, int elements) {
    if (elements > 0) {
      scope.launch(
          add,
          Launch.covering(elements, BLOCK),
          add.arguments(scope.tensor("sum"), scope.tensor("a"), scope.tensor("b"), elements));
    }
  }
}
