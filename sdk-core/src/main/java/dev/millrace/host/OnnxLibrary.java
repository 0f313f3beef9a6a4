package dev.millrace.host;

import dev.millrace.error.LibraryMissingException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether ONNX Runtime is there: its classes, and its native library, which it unpacks and loads
 * when its first class is initialised. Java tells why that failed only once (later there is a bare
 * {@code NoClassDefFoundError}), so the answer of the first try is kept.
 */
final class OnnxLibrary {
  private static final String ENTRY_CLASS = "ai.onnxruntime.OrtEnvironment";
  private static final String MODULE = "com.microsoft.onnxruntime";
  private static final @Nullable Absence ABSENCE = lookFor(ENTRY_CLASS);

  private OnnxLibrary() {}

  /** What is in the way, and what to do about it. */
  record Absence(List<String> tried, String remedy, @Nullable Throwable cause) {
    LibraryMissingException toException() {
      return new LibraryMissingException("ONNX Runtime", tried, remedy, cause);
    }
  }

  /**
   * Makes sure that ONNX Runtime can be called.
   *
   * @throws LibraryMissingException if it is absent or cannot be loaded
   */
  static void require() {
    if (ABSENCE != null) {
      throw ABSENCE.toException();
    }
  }

  static @Nullable Absence lookFor(String entryClass) {
    ClassLoader loader = OnnxLibrary.class.getClassLoader();
    Module module;
    try {
      module = Class.forName(entryClass, false, loader).getModule();
    } catch (ClassNotFoundException e) {
      return new Absence(
          List.of(),
          "add the artifact "
              + MODULE
              + ":onnxruntime, and on the module path start Java with --add-modules "
              + MODULE,
          null);
    }
    // The descriptor's edge holds only where the jar is on the module path; beside modules, or
    // beside an image made by jlink, it lies on the class path.
    OnnxLibrary.class.getModule().addReads(module);
    try {
      Class.forName(entryClass, true, loader);
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return cannotLoad(e, module);
    }
  }

  static Absence cannotLoad(Throwable thrown, Module module) {
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      if (e instanceof IllegalCallerException) {
        String target = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return new Absence(List.of(), "start Java with --enable-native-access=" + target, thrown);
      }
      if (e instanceof UnsatisfiedLinkError || e instanceof IOException) {
        return new Absence(
            List.of("java.io.tmpdir=" + System.getProperty("java.io.tmpdir")),
            "its native library could not be unpacked and loaded ("
                + e.getMessage()
                + "); point -Djava.io.tmpdir at a folder that may be written and executed, or"
                + " -Donnxruntime.native.path at one that holds the library",
            thrown);
      }
    }
    return new Absence(List.of(), "it failed to start: " + thrown, thrown);
  }
}
