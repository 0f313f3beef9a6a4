package dev.millrace.gpu.kernel;

import dev.millrace.error.LibraryMissingException;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.ffi.LibraryFiles;
import dev.millrace.gpu.ffi.Rocblas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Whether rocBLAS has kernels for an architecture: where it has none its first product ends the
 * process. They are files {@code TensileLibrary*} below the folder of the library, or in {@code
 * ROCBLAS_TENSILE_LIBPATH}. Libraries that stand in for rocBLAS have none and need none; they say
 * so in their version.
 */
final class BlasKernels {
  private static final String STAND_IN = "hip-on-";
  private static final int DEPTH = 3;
  private static final ConcurrentHashMap<String, Boolean> PRESENT = new ConcurrentHashMap<>();

  private BlasKernels() {}

  static void require(int ordinal) {
    String architecture = HipDevices.architecture(ordinal).split(":", 2)[0];
    if (!architecture.startsWith("gfx") || Rocblas.version().contains(STAND_IN)) {
      return;
    }
    List<Path> places = places();
    if (!PRESENT.computeIfAbsent(architecture, wanted -> anyHas(places, wanted))) {
      throw new LibraryMissingException(
          "rocBLAS's kernels for architecture=" + architecture,
          places.stream().map(Path::toString).toList(),
          "install a rocBLAS that was built for it; without them its first product ends the"
              + " process");
    }
  }

  private static List<Path> places() {
    List<Path> places = new ArrayList<>();
    String chosen = System.getenv("ROCBLAS_TENSILE_LIBPATH");
    if (chosen != null && !chosen.isEmpty()) {
      places.add(Path.of(chosen));
      return places;
    }
    LibraryFiles.mapped("rocblas").ifPresent(file -> places.add(file.resolveSibling("rocblas")));
    return places;
  }

  private static boolean anyHas(List<Path> places, String architecture) {
    return places.stream().anyMatch(place -> hasKernels(place, architecture));
  }

  static boolean hasKernels(Path place, String architecture) {
    if (!Files.isDirectory(place)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(place, DEPTH)) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(name -> name.startsWith("TensileLibrary") && isFor(name, architecture));
    } catch (IOException e) {
      return false;
    }
  }

  /** A name ends in the architecture, or goes on after it: gfx90 is not gfx90a. */
  private static boolean isFor(String name, String architecture) {
    int at = name.indexOf(architecture);
    int end = at + architecture.length();
    return at >= 0 && (end == name.length() || !Character.isLetterOrDigit(name.charAt(end)));
  }
}
