package dev.millrace.host;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.millrace.error.DeviceException;
import dev.millrace.error.ModelException;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.spi.DeviceDriver;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes ONNX Runtime load a model, and tells why where it does not. */
final class OnnxLoader {
  private final Model model;
  private final CompileOptions options;
  private final DeviceDriver driver;
  private final Source source;

  private OnnxLoader(Model model, CompileOptions options, DeviceDriver driver) {
    this.model = model;
    this.options = options;
    this.driver = driver;
    this.source =
        model.file().<Source>map(InFile::new).orElseGet(() -> new InMemory(model.bytes()));
  }

  /** Where ONNX Runtime takes the model from. */
  private sealed interface Source {
    OnnxHeader header();

    OrtSession createSession(OrtEnvironment environment, SessionOptions options)
        throws OrtException;
  }

  /** By its path, so that weights in files beside it are found. */
  private record InFile(Path file) implements Source {
    @Override
    public OnnxHeader header() {
      return OnnxHeader.of(file);
    }

    @Override
    public OrtSession createSession(OrtEnvironment environment, SessionOptions options)
        throws OrtException {
      return environment.createSession(file.toString(), options);
    }
  }

  /** By its bytes. */
  private static final class InMemory implements Source {
    private final byte[] bytes;

    InMemory(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public OnnxHeader header() {
      return OnnxHeader.of(MemorySegment.ofArray(bytes));
    }

    @Override
    public OrtSession createSession(OrtEnvironment environment, SessionOptions options)
        throws OrtException {
      return environment.createSession(bytes, options);
    }
  }

  static OnnxProgram load(Model model, CompileOptions options, DeviceDriver driver) {
    model.check();
    OnnxLoader loader = new OnnxLoader(model, options, driver);
    if (!options.nodeProfile()) {
      return loader.load(null);
    }
    OnnxProfile profile = OnnxProfile.create(model.name());
    try {
      return loader.load(profile);
    } catch (RuntimeException | Error e) {
      profile.discard();
      throw e;
    }
  }

  private OnnxProgram load(@Nullable OnnxProfile profile) {
    OnnxHeader header = source.header();
    OnnxInputShapes shapes = new OnnxInputShapes(options.inputShapes());
    OrtSession session = createSession(shapes.symbols(header), profile);
    try {
      OnnxSpecs specs = new OnnxSpecs(model.name(), header);
      return new OnnxProgram(
          model.name(),
          driver,
          session,
          shapes.applyTo(specs.inputs(session)),
          specs.outputs(session),
          profile);
    } catch (RuntimeException e) {
      close(session, e);
      throw e;
    }
  }

  private OrtSession createSession(Map<String, Long> symbols, @Nullable OnnxProfile profile) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (SessionOptions session = new SessionOptions()) {
      configure(session, symbols, profile);
      try {
        return source.createSession(environment, session);
      } catch (OrtException e) {
        throw new ModelException(model.name(), "ONNX Runtime refuses it: " + e.getMessage(), e);
      }
    } catch (OrtException e) {
      throw DeviceException.of(
          "load model=" + model.name(), driver.id(), "OrtSession.SessionOptions", e);
    }
  }

  private void configure(
      SessionOptions session, Map<String, Long> symbols, @Nullable OnnxProfile profile)
      throws OrtException {
    // What fails arrives as an exception; the log on standard error would only say it again.
    session.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    session.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
    if (options.threadsPerRun() > 0) {
      session.setIntraOpNumThreads(options.threadsPerRun());
      session.setInterOpNumThreads(1);
      session.addConfigEntry("session.intra_op.allow_spinning", "0");
    }
    for (Map.Entry<String, Long> symbol : symbols.entrySet()) {
      session.setSymbolicDimensionValue(symbol.getKey(), symbol.getValue());
    }
    if (profile != null) {
      session.enableProfiling(profile.filePrefix());
    }
  }

  private static void close(OrtSession session, RuntimeException because) {
    try {
      session.close();
    } catch (OrtException e) {
      because.addSuppressed(e);
    }
  }
}
