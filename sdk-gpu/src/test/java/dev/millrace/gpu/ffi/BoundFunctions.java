package dev.millrace.gpu.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All that this module calls: the prototypes that its classes bind, whichever classes those are.
 */
final class BoundFunctions {
  /** The file names of the libraries, each at the version that Debian packages. */
  private static final Map<NativeLibrary, String> FILES =
      Map.of(
          Hip.LIBRARY, "libamdhip64.so.6",
          Hiprtc.LIBRARY, "libhiprtc.so.6",
          Rocblas.LIBRARY, "librocblas.so.4",
          Miopen.LIBRARY, "libMIOpen.so.1",
          Hipblas.LIBRARY, "libhipblas.so.2");

  /**
   * A function of a library.
   *
   * @param library the library's file name
   * @param prototype how it is bound
   */
  record Bound(String library, Prototype prototype) {}

  private BoundFunctions() {}

  /** By library, then by name. */
  static List<Bound> all() {
    classNames().forEach(BoundFunctions::initialize);
    return FILES.entrySet().stream()
        .flatMap(library -> of(library.getKey(), library.getValue()))
        .sorted(Comparator.comparing(Bound::library).thenComparing(bound -> bound.prototype.name()))
        .toList();
  }

  private static Stream<Bound> of(NativeLibrary library, String file) {
    return library.bound().stream().map(prototype -> new Bound(file, prototype));
  }

  /** A class binds its functions when it is initialized. */
  private static void initialize(String name) {
    try {
      Class<?> one = Class.forName(name, true, BoundFunctions.class.getClassLoader());
      for (Field field : one.getDeclaredFields()) {
        if (isLibrary(field) && !FILES.containsKey((NativeLibrary) field.get(null))) {
          throw new AssertionError("which file is the library of " + name + "?");
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  private static boolean isLibrary(Field field) {
    return field.getType() == NativeLibrary.class && Modifier.isStatic(field.getModifiers());
  }

  private static List<String> classNames() {
    String name = BoundFunctions.class.getPackageName();
    Path folder = Path.of(System.getProperty("basedir"), "target/classes", name.replace('.', '/'));
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.matches("[A-Za-z]+\\.class") && !file.equals("package-info.class"))
          .map(file -> name + "." + file.replace(".class", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
