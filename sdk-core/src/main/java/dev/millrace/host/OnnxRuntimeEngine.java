package dev.millrace.host;

import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.Engine;
import dev.millrace.spi.LoadedProgram;
import java.util.Optional;

/**
 * Runs ONNX models with ONNX Runtime's Java API, on devices whose work is host functions.
 *
 * <p>ONNX Runtime is an optional dependency. This class names none of its types, so that it loads
 * and can be asked where ONNX Runtime is absent.
 */
public final class OnnxRuntimeEngine implements Engine {
  /** What {@code CompileOptions.withEngine} calls it. */
  public static final String NAME = "onnxruntime";

  /** Makes the engine; called by {@code ServiceLoader}. */
  public OnnxRuntimeEngine() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> refusal(DeviceDriver driver) {
    if (driver.features().hostFunctions()) {
      return Optional.empty();
    }
    return Optional.of(
        "ONNX Runtime computes in host functions on host memory, and device="
            + driver.id()
            + " has none");
  }

  @Override
  public LoadedProgram load(Model model, CompileOptions options, DeviceDriver driver) {
    refusal(driver)
        .ifPresent(
            reason -> {
              throw new UnsupportedOperationException("load model=" + model.name() + ": " + reason);
            });
    OnnxLibrary.require();
    return OnnxLoader.load(model, options, driver);
  }
}
