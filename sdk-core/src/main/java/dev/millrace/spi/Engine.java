package dev.millrace.spi;

import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import java.util.Optional;

/** Turns models into programs; a service of {@code java.util.ServiceLoader}. Any thread. */
public interface Engine {

  /**
   * The engine's name.
   *
   * @return for example {@code onnxruntime}
   */
  String name();

  /**
   * Why this engine does not serve a device. Whether it can run the model is said by {@link #load}.
   *
   * @param driver the device
   * @return one sentence, or empty where it does
   */
  Optional<String> refusal(DeviceDriver driver);

  /**
   * Loads a model.
   *
   * @param model what to load
   * @param options how
   * @param driver the device that will run it
   * @return the loaded program, the caller's to close
   * @throws dev.millrace.error.ModelException if the model is unreadable or of an unsupported kind
   * @throws dev.millrace.error.LibraryMissingException if the engine's library is not there
   */
  LoadedProgram load(Model model, CompileOptions options, DeviceDriver driver);
}
